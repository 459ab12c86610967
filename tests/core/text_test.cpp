#include "core/text.hpp"

#include <gmock/gmock.h>

namespace lipizz {
namespace {

const std::vector<std::string> kLosses{"bce", "heuristic", "least-squares"};

TEST(Text, edit_distance_counts_single_character_changes) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
}

TEST(Text, a_misspelling_finds_the_nearest_name) {
  EXPECT_EQ(nearest("hueristic", kLosses), "heuristic");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(suggestion("hueristic", kLosses), "; did you mean \"heuristic\"?");
}

TEST(Text, a_word_near_to_nothing_gets_the_whole_list) {
  EXPECT_EQ(suggestion("wasserstein", kLosses), "; there are bce, heuristic, least-squares");
}

}  // namespace
}  // namespace lipizz
