#include "worker/cell_copies.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace lipizz::worker::cell_copies_test {
namespace {

HeldState copy(std::uint32_t cell, Generation generation, std::size_t n_bytes = 1) {
  return {{cell}, generation, std::make_shared<const CellSnapshot>(Bytes(n_bytes))};
}

TEST(CellCopies, keeps_every_cell_of_every_generation) {
  CellCopies copies;
  EXPECT_TRUE(copies.keep(1, copy(0, 4, 40)));
  EXPECT_TRUE(copies.keep(1, copy(1, 4, 41)));
  EXPECT_TRUE(copies.keep(1, copy(0, 5, 50)));
  EXPECT_EQ(copies.find({0}, 4)->bytes().size(), 40U);
  EXPECT_EQ(copies.find({1}, 4)->bytes().size(), 41U);
  EXPECT_EQ(copies.find({0}, 5)->bytes().size(), 50U);
  EXPECT_FALSE(copies.find({1}, 5));
}

TEST(CellCopies, a_new_incarnation_drops_what_was_made_after_its_start) {
  CellCopies copies;
  for (Generation generation = 4; generation <= 7; ++generation) {
    copies.keep(1, copy(0, generation));
  }
  copies.begin(2, 5, {});
  EXPECT_TRUE(copies.find({0}, 4));
  EXPECT_TRUE(copies.find({0}, 5)) << "what it goes on from";
  EXPECT_FALSE(copies.find({0}, 6));
  EXPECT_FALSE(copies.find({0}, 7));
}

TEST(CellCopies, what_the_new_incarnation_made_before_it_is_known_here_stays) {
  CellCopies copies;
  copies.keep(1, copy(0, 6));
  EXPECT_TRUE(copies.keep(2, copy(1, 6)));
  copies.begin(2, 5, {});
  EXPECT_FALSE(copies.find({0}, 6));
  EXPECT_TRUE(copies.find({1}, 6));
}

TEST(CellCopies, refuses_what_comes_late_of_an_incarnation_that_is_over) {
  CellCopies copies;
  copies.begin(2, 5, {});
  EXPECT_FALSE(copies.keep(1, copy(0, 6)));
  EXPECT_FALSE(copies.find({0}, 6));
  EXPECT_TRUE(copies.keep(2, copy(0, 6)));
  EXPECT_TRUE(copies.keep(3, copy(0, 7)));
}

// Told to be held, it must be there when somebody is to go on from it.
TEST(CellCopies, what_came_early_is_not_replaced_by_what_comes_late) {
  CellCopies copies;
  EXPECT_TRUE(copies.keep(2, copy(0, 6, 62)));
  EXPECT_FALSE(copies.keep(1, copy(0, 6, 61)));
  copies.begin(2, 5, {});
  ASSERT_TRUE(copies.find({0}, 6));
  EXPECT_EQ(copies.find({0}, 6)->bytes().size(), 62U);
}

TEST(CellCopies, drops_what_nobody_will_go_back_to) {
  CellCopies copies;
  for (Generation generation = 4; generation <= 6; ++generation) {
    for (std::uint32_t cell = 0; cell < 2; ++cell) copies.keep(1, copy(cell, generation));
  }
  copies.drop_before(5);
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    EXPECT_FALSE(copies.find({cell}, 4));
    EXPECT_TRUE(copies.find({cell}, 5));
    EXPECT_TRUE(copies.find({cell}, 6));
  }
}

std::vector<std::pair<std::uint32_t, Generation>> own_of(const CellCopies& copies) {
  std::vector<std::pair<std::uint32_t, Generation>> all;
  for (const HeldState& each : copies.own().cells) {
    all.emplace_back(each.cell.value, each.generation);
  }
  return all;
}

TEST(CellCopies, gives_what_it_holds_of_its_own_cells_and_of_no_others) {
  CellCopies copies;
  copies.begin(3, 0, {{0}, {2}});
  copies.hold(3, {copy(0, 4), copy(2, 4)}, 9, [] {});
  copies.hold(3, {copy(0, 5), copy(2, 5)}, 9, [] {});
  copies.keep(3, copy(1, 5));
  EXPECT_EQ(copies.own().incarnation, 3U);
  EXPECT_THAT(own_of(copies), ::testing::ElementsAre(std::pair(0U, 4U), std::pair(2U, 4U),
                                                     std::pair(0U, 5U), std::pair(2U, 5U)));
  copies.drop_before(5);
  EXPECT_THAT(own_of(copies), ::testing::ElementsAre(std::pair(0U, 5U), std::pair(2U, 5U)));
}

TEST(CellCopies, tells_of_a_generation_before_anybody_can_see_it) {
  CellCopies copies;
  copies.begin(1, 0, {{0}});
  bool is_told = false;
  std::jthread looker([&] {
    while (own_of(copies).empty()) std::this_thread::yield();
    EXPECT_TRUE(is_told);
  });
  copies.hold(1, {copy(0, 1)}, 9, [&] { is_told = true; });
}

TEST(CellCopies, holds_so_many_generations_until_the_oldest_may_go) {
  CellCopies copies;
  copies.begin(1, 0, {{0}});
  for (Generation generation = 1; generation <= 5; ++generation) {
    copies.hold(1, {copy(0, generation)}, 2, [] {});
  }
  EXPECT_THAT(own_of(copies), ::testing::ElementsAre(std::pair(0U, 1U), std::pair(0U, 2U)));
  copies.drop_before(2);
  copies.hold(1, {copy(0, 6)}, 2, [] {});
  EXPECT_THAT(own_of(copies), ::testing::ElementsAre(std::pair(0U, 2U), std::pair(0U, 6U)));
}

TEST(CellCopies, a_wait_ends_with_the_copy) {
  CellCopies copies;
  std::jthread buddy([&] {
    copies.keep(1, copy(1, 5, 15));
    copies.keep(1, copy(0, 6, 60));
    copies.keep(1, copy(0, 5, 50));
  });
  EXPECT_EQ(copies.wait_for({0}, 5, [] { return false; })->bytes().size(), 50U);
  EXPECT_EQ(copies.wait_for({1}, 5, [] { return true; })->bytes().size(), 15U) << "it was there";
}

TEST(CellCopies, a_wait_asks_again_whether_to_give_up_when_told_to_reconsider) {
  CellCopies copies;
  std::atomic<bool> is_waiting = false;
  std::atomic<bool> gives_up = false;
  std::jthread master([&] {
    is_waiting.wait(false);
    gives_up = true;
    copies.reconsider();
  });
  const auto asked = [&] {
    is_waiting = true;
    is_waiting.notify_all();
    return gives_up.load();
  };
  EXPECT_FALSE(copies.wait_for({0}, 5, asked));
}

}  // namespace
}  // namespace lipizz::worker::cell_copies_test
