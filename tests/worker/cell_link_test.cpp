#include "worker/cell_link.hpp"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <thread>

#include "coev/interrupted.hpp"
#include "core/error.hpp"

namespace lipizz::worker::cell_link_test {
namespace {

Bytes bytes(int value) {
  return Bytes(3, static_cast<std::byte>(value));
}

struct SetClock final : Clock {
  double now_s() const override { return seconds; }
  std::atomic<double> seconds = 0;
};

// Ranks 3, 4 and 5 of WORLD, whose messages arrive at once.
struct Cell {
  Cell() {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Rank self{3 + static_cast<int>(i)};
      links[i].connect(
          {.send =
               [this, self](Rank to, Bytes message) {
                 links[static_cast<std::size_t>(to.value - 3)].deliver(self, std::move(message));
               },
           .progress_until =
               [this](const std::function<bool()>& is_over, double max_s) {
                 EXPECT_THAT(max_s, ::testing::AllOf(::testing::Gt(0), ::testing::Lt(1)));
                 ++n_waits;
                 while (waits_in_step && !is_over()) std::this_thread::yield();
                 clock.seconds = clock.seconds + 2;
                 has_waited = true;
               },
           .clock = &clock});
    }
  }
  void begin(std::size_t i, std::uint32_t incarnation, std::vector<Rank> ranks = {{3}, {4}, {5}}) {
    links[i].begin(std::move(ranks), {3 + static_cast<int>(i)}, incarnation);
  }

  SetClock clock;  // a wait in step takes two seconds
  std::array<CellLink, 3> links;
  std::atomic<bool> waits_in_step = true;
  std::atomic<int> n_waits = 0;
  std::atomic<bool> has_waited = false;
};

TEST(CellLink, is_alone_before_it_begins) {
  const CellLink link;
  EXPECT_EQ(link.size(), 1U);
  EXPECT_EQ(link.self(), RankInCell{0});
}

TEST(CellLink, knows_ranks_by_their_place_in_the_cell) {
  Cell cell;
  cell.begin(0, 1);
  cell.begin(2, 1);
  EXPECT_EQ(cell.links[2].self(), RankInCell{2});
  EXPECT_EQ(cell.links[2].size(), 3U);
  cell.links[2].send({0}, bytes(1));
  cell.links[2].send({0}, bytes(2));
  EXPECT_EQ(cell.links[0].receive({2}), bytes(1));
  EXPECT_EQ(cell.links[0].receive({2}), bytes(2));
}

TEST(CellLink, goes_on_without_a_rank_that_is_lost) {
  Cell cell;
  cell.begin(0, 2, {{3}, {5}});
  cell.begin(2, 2, {{3}, {5}});
  EXPECT_EQ(cell.links[2].self(), RankInCell{1});
  cell.links[0].send({1}, bytes(1));
  EXPECT_EQ(cell.links[2].receive({0}), bytes(1));
}

TEST(CellLink, messages_of_an_incarnation_that_is_over_are_dropped) {
  Cell cell;
  cell.begin(0, 1);
  cell.begin(1, 1);
  cell.links[0].send({1}, bytes(1));
  cell.begin(1, 2);
  cell.links[0].send({1}, bytes(2));
  cell.begin(0, 2);
  cell.links[0].send({1}, bytes(3));
  EXPECT_EQ(cell.links[1].receive({0}), bytes(3));
}

TEST(CellLink, messages_of_a_later_incarnation_wait_for_it) {
  Cell cell;
  cell.begin(0, 1);
  cell.begin(1, 1);
  cell.links[0].send({1}, bytes(1));
  cell.begin(0, 2);
  cell.links[0].send({1}, bytes(2));
  EXPECT_EQ(cell.links[1].receive({0}), bytes(1));
  cell.begin(1, 2);
  EXPECT_EQ(cell.links[1].receive({0}), bytes(2));
}

TEST(CellLink, sees_to_messages_while_it_waits_for_what_is_to_come) {
  Cell cell;
  cell.begin(0, 1);
  cell.begin(1, 1);
  std::thread other([&] {
    while (cell.n_waits == 0) std::this_thread::yield();
    cell.links[0].send({1}, bytes(1));
    cell.links[0].send({1}, bytes(2));
  });
  EXPECT_EQ(cell.links[1].receive({0}), bytes(1));
  other.join();
  EXPECT_EQ(cell.links[1].waited_s(), 2);
  EXPECT_EQ(cell.links[1].receive({0}), bytes(2));
  EXPECT_EQ(cell.links[1].waited_s(), 2) << "this one was there";
  EXPECT_EQ(cell.n_waits, 1);
}

TEST(CellLink, tells_whom_it_waits_for_and_in_what) {
  Cell cell;
  cell.begin(0, 1);
  cell.begin(1, 1);
  const std::pair<Rank, std::string_view> nobody{kMaster, ""};
  EXPECT_EQ(cell.links[1].waits_for(), nobody);
  std::pair<Rank, std::string_view> told;
  std::thread other([&] {
    while (cell.n_waits == 0) std::this_thread::yield();
    told = cell.links[1].waits_for();
    cell.links[0].send({1}, bytes(1));
  });
  cell.links[1].begin_collective("a gather");
  EXPECT_EQ(cell.links[1].receive({0}), bytes(1));
  other.join();
  EXPECT_EQ(told, std::pair(Rank{3}, std::string_view("a gather")));
  EXPECT_EQ(cell.links[1].waits_for(), nobody);
}

// Long waits are those for another cell's turn, or for what the first rank does alone.
TEST(CellLink, sleeps_where_it_takes_long) {
  Cell cell;
  cell.waits_in_step = false;
  cell.begin(0, 1);
  cell.begin(1, 1);
  std::thread other([&] {
    while (!cell.has_waited) std::this_thread::yield();
    cell.clock.seconds = cell.clock.seconds + 3;
    cell.links[0].send({1}, bytes(1));
  });
  EXPECT_EQ(cell.links[1].receive({0}), bytes(1));
  other.join();
  EXPECT_EQ(cell.links[1].waited_s(), 5) << "in step, and asleep";
  EXPECT_EQ(cell.n_waits, 1);
}

TEST(CellLink, an_interruption_wakes_who_sleeps) {
  Cell cell;
  cell.waits_in_step = false;
  cell.begin(1, 1);
  std::thread other([&] {
    while (!cell.has_waited) std::this_thread::yield();
    cell.links[1].interrupt(2);
  });
  EXPECT_THROW(static_cast<void>(cell.links[1].receive({0})), coev::Interrupted);
  other.join();
}

TEST(CellLink, an_interruption_ends_waits_of_earlier_incarnations_alone) {
  Cell cell;
  cell.begin(1, 1);
  std::thread other([&] {
    while (cell.n_waits == 0) std::this_thread::yield();
    cell.links[1].interrupt(2);
  });
  EXPECT_THROW(static_cast<void>(cell.links[1].receive({0})), coev::Interrupted);
  other.join();
  cell.begin(1, 2);
  cell.begin(0, 2);
  cell.links[0].send({1}, bytes(1));
  EXPECT_EQ(cell.links[1].receive({0}), bytes(1));
  EXPECT_EQ(cell.links[1].waited_s(), 2) << "of the incarnation before";
  cell.links[1].interrupt();
  EXPECT_THROW(static_cast<void>(cell.links[1].receive({0})), coev::Interrupted);
}

TEST(CellLink, a_message_without_its_incarnation_is_refused) {
  CellLink link;
  EXPECT_THROW(link.deliver({4}, bytes(1)), CommError);
}

}  // namespace
}  // namespace lipizz::worker::cell_link_test
