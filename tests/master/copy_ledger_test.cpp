#include "master/copy_ledger.hpp"

#include <gmock/gmock.h>

namespace lipizz::master::copy_ledger_test {
namespace {

constexpr Generation kNewest = 99;

using ::testing::Optional;

constexpr Rank kA{1};
constexpr Rank kB{2};
constexpr Rank kC{3};

// A ledger of two cells, both held by the same.
CopyLedger ledger_of(std::vector<std::pair<Generation, std::vector<Rank>>> holders_of_both) {
  CopyLedger copies(2);
  for (const auto& [generation, holders] : holders_of_both) {
    for (const Rank holder : holders) {
      copies.add({0}, generation, holder);
      copies.add({1}, generation, holder);
    }
  }
  return copies;
}

TEST(CopyLedger, begins_with_nothing) {
  EXPECT_EQ(CopyLedger(2).newest_whole(1, kNewest), std::nullopt);
}

TEST(CopyLedger, a_generation_is_whole_when_every_cell_has_enough_copies) {
  CopyLedger copies(2);
  copies.add({0}, 7, kA);
  copies.add({0}, 7, kB);
  EXPECT_EQ(copies.newest_whole(1, kNewest), std::nullopt) << "nothing of cell 1";
  copies.add({1}, 7, kC);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(7U));
  EXPECT_EQ(copies.newest_whole(2, kNewest), std::nullopt);
  copies.add({1}, 7, kC);
  EXPECT_EQ(copies.newest_whole(2, kNewest), std::nullopt) << "who keeps it counts once";
  copies.add({1}, 7, kA);
  EXPECT_THAT(copies.newest_whole(2, kNewest), Optional(7U));
}

TEST(CopyLedger, the_newest_that_is_whole_counts) {
  CopyLedger copies = ledger_of({{4, {kA, kB}}, {6, {kC}}, {5, {kA, kB}}});
  copies.add({0}, 9, kA);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(6U));
  EXPECT_THAT(copies.newest_whole(2, kNewest), Optional(5U));
  EXPECT_EQ(copies.newest_whole(3, kNewest), std::nullopt);
}

TEST(CopyLedger, what_a_lost_rank_kept_is_gone) {
  CopyLedger copies = ledger_of({{4, {kA, kB}}, {5, {kB}}});
  copies.lose(kB);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(4U));
  EXPECT_EQ(copies.newest_whole(2, kNewest), std::nullopt);
  copies.lose(kA);
  EXPECT_EQ(copies.newest_whole(1, kNewest), std::nullopt);
}

TEST(CopyLedger, who_goes_back_forgets_what_was_made_later) {
  CopyLedger copies = ledger_of({{4, {kA}}, {5, {kA}}, {6, {kA}}});
  copies.go_back(5);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(5U));
  copies.add({0}, 6, kB);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(5U)) << "cell 1 has to come there again";
  copies.go_back(3);
  EXPECT_EQ(copies.newest_whole(1, kNewest), std::nullopt);
}

TEST(CopyLedger, what_is_older_than_anybody_needs_is_dropped) {
  CopyLedger copies = ledger_of({{4, {kA, kB}}, {5, {kA}}});
  copies.drop_before(5);
  EXPECT_THAT(copies.newest_whole(1, kNewest), Optional(5U));
  EXPECT_EQ(copies.newest_whole(2, kNewest), std::nullopt);
}

TEST(CopyLedger, names_the_one_that_is_preferred_or_the_first_that_keeps_a_copy) {
  const CopyLedger copies = ledger_of({{4, {kB, kC}}});
  EXPECT_EQ(copies.holder({0}, 4, kC), kC);
  EXPECT_EQ(copies.holder({0}, 4, kB), kB);
  EXPECT_EQ(copies.holder({1}, 4, kA), kB);
}

TEST(CopyLedger, looks_no_further_than_asked) {
  CopyLedger copies(1);
  copies.add({0}, 4, {1});
  copies.add({0}, 6, {1});
  EXPECT_THAT(copies.newest_whole(1, 6), Optional(6U));
  EXPECT_THAT(copies.newest_whole(1, 5), Optional(4U));
  EXPECT_EQ(copies.newest_whole(1, 3), std::nullopt);
}

}  // namespace
}  // namespace lipizz::master::copy_ledger_test
