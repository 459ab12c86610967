#include "core/synonyms.hpp"

#include <gtest/gtest.h>

namespace lipizz::synonyms_test {
namespace {

TEST(Synonyms, lead_to_our_words) {
  EXPECT_EQ(our_word_for("lr"), "learning_rate");
  EXPECT_EQ(our_word_for("learning-rate"), "learning_rate");
  EXPECT_EQ(our_word_for("gpu"), "cuda");
  EXPECT_EQ(our_word_for("wheels"), "wheels");
}

}  // namespace
}  // namespace lipizz::synonyms_test
