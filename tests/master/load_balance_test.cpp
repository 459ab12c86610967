#include "master/load_balance.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace lipizz::master::load_balance_test {
namespace {

using ::testing::ElementsAre;

/// How many times as long as usual a worker takes in a generation.
using Slowness = std::function<double(Rank, Generation)>;

constexpr double kCell_s = 1;
constexpr double kMove_s = 0.5;  // beside the generation that is under way

// A run whose cells take a second each on a worker that nothing slows.
class PlayedRun {
 public:
  PlayedRun(std::vector<std::int32_t> rank_of_cell, int n_workers, Slowness slowness)
      : rank_of_cell_(std::move(rank_of_cell)), slowness_(std::move(slowness)) {
    for (int rank = 1; rank <= n_workers; ++rank) members_.push_back({rank});
  }

  void train(Generation generations, bool moves = true) {
    for (Generation g = 1; g <= generations; ++g) {
      time_s_ += longest(g);
      for (const std::int32_t rank : rank_of_cell_) {
        balance_.add({rank}, g, kCell_s * slowness_({rank}, g));
      }
      const auto move = balance_.after({.generation = g,
                                        .n_left = generations - g,
                                        .now_s = time_s_,
                                        .rank_of_cell = rank_of_cell_,
                                        .members = members_,
                                        .not_to_empty = not_to_empty_});
      if (!move || !moves) continue;
      moved_after_.push_back(g);
      rank_of_cell_ = move->rank_of_cell;
      balance_.begin_anew(time_s_);
      time_s_ += longest(g + 1) + kMove_s;
    }
  }

  // As long as the best placement of every generation takes, which costs nothing to bring about.
  double all_knowing_s(Generation generations) const {
    double sum_s = 0;
    for (Generation g = 1; g <= generations; ++g) {
      double shortest_s = 0;
      for (std::size_t n = 0; n < rank_of_cell_.size(); ++n) {
        shortest_s = std::max(shortest_s, nth_end_s(g, n));
      }
      sum_s += shortest_s;
    }
    return sum_s;
  }

  std::vector<long> counts() const {
    std::vector<long> counts;
    for (const Rank rank : members_)
      counts.push_back(std::ranges::count(rank_of_cell_, rank.value));
    return counts;
  }

  double time_s_ = 0;
  std::vector<Generation> moved_after_;
  std::set<Rank> not_to_empty_;

 private:
  double longest(Generation g) const {
    double longest_s = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      longest_s = std::max(longest_s,
                           kCell_s * slowness_(members_[i], g) * static_cast<double>(counts()[i]));
    }
    return longest_s;
  }

  // When the nth of the moments comes at which some worker has trained one more cell.
  double nth_end_s(Generation g, std::size_t n) const {
    std::vector<double> ends_s;
    for (const Rank rank : members_) {
      for (std::size_t i = 1; i <= rank_of_cell_.size(); ++i) {
        ends_s.push_back(kCell_s * slowness_(rank, g) * static_cast<double>(i));
      }
    }
    std::ranges::sort(ends_s);
    return ends_s[n];
  }

  LoadBalance balance_;
  std::vector<std::int32_t> rank_of_cell_;
  std::vector<Rank> members_;
  Slowness slowness_;
};

std::vector<std::int32_t> sixteen_on_five() {
  return {1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5};
}

double nothing_slow(Rank, Generation) {
  return 1;
}

// Threefold, from the third generation on.
double second_slow(Rank rank, Generation generation) {
  return rank.value == 2 && generation >= 3 ? 3 : 1;
}

// Each worker for twenty generations.
double by_turns(Rank rank, Generation generation) {
  return rank.value == 1 + static_cast<int>(generation / 20 % 5) ? 3 : 1;
}

TEST(LoadBalance, leaves_equal_workers_alone) {
  PlayedRun run(sixteen_on_five(), 5, nothing_slow);
  run.train(50);
  EXPECT_THAT(run.moved_after_, ElementsAre());
}

TEST(LoadBalance, moves_cells_off_a_slow_worker_once_it_has_been_slow_twice) {
  PlayedRun run(sixteen_on_five(), 5, second_slow);
  run.train(50);
  EXPECT_THAT(run.moved_after_, ElementsAre(4));
  EXPECT_THAT(run.counts(), ElementsAre(4, 1, 4, 4, 3));
}

TEST(LoadBalance, ends_soon_after_what_an_all_knowing_placement_needs) {
  PlayedRun one(sixteen_on_five(), 5, second_slow);
  one.train(100);
  EXPECT_LT(one.time_s_, 1.25 * one.all_knowing_s(100));
  PlayedRun turns(sixteen_on_five(), 5, by_turns);
  turns.train(200);
  EXPECT_LT(turns.time_s_, 1.5 * turns.all_knowing_s(200));
  PlayedRun still(sixteen_on_five(), 5, second_slow);
  still.train(100, false);
  EXPECT_GT(still.time_s_, 2 * one.all_knowing_s(100)) << "nothing to gain";
}

TEST(LoadBalance, minds_no_single_slow_generation) {
  PlayedRun run(sixteen_on_five(), 5, [](Rank rank, Generation generation) {
    return generation % 3 == 0 && rank.value == 2 ? 30 : 1;
  });
  run.train(50);
  EXPECT_THAT(run.moved_after_, ElementsAre());
}

TEST(LoadBalance, minds_no_small_difference) {
  PlayedRun run(sixteen_on_five(), 5,
                [](Rank rank, Generation) { return rank.value == 1 ? 1.2 : 1; });
  run.train(500);
  EXPECT_THAT(run.moved_after_, ElementsAre());
}

TEST(LoadBalance, moves_nothing_where_too_little_is_left_to_gain) {
  PlayedRun run(sixteen_on_five(), 5, second_slow);
  run.train(7);
  EXPECT_THAT(run.moved_after_, ElementsAre());
}

TEST(LoadBalance, gives_an_idle_worker_the_cell_of_a_slow_one) {
  PlayedRun run({1, 2, 3}, 4, second_slow);
  run.train(50);
  EXPECT_THAT(run.counts(), ElementsAre(1, 0, 1, 1));
}

TEST(LoadBalance, leaves_a_cell_where_it_must) {
  PlayedRun run({1, 2, 3}, 4, second_slow);
  run.not_to_empty_ = {Rank{2}};
  run.train(50);
  EXPECT_THAT(run.moved_after_, ElementsAre());
}

TEST(LoadBalance, becomes_careful_where_moves_have_cost_much) {
  LoadBalance balance;
  const std::vector<std::int32_t> places{1, 1, 1, 2, 2, 2};
  const auto after = [&](Generation generation, double slow, double now_s) {
    for (const std::int32_t rank : places) balance.add({rank}, generation, rank == 2 ? slow : 1);
    return balance.after({.generation = generation,
                          .n_left = 20,
                          .now_s = now_s,
                          .rank_of_cell = places,
                          .members = {Rank{1}, Rank{2}},
                          .not_to_empty = {}});
  };
  for (Generation g = 1; g <= 3; ++g) EXPECT_FALSE(after(g, 3, 0));
  EXPECT_TRUE(after(4, 3, 0));
  balance.begin_anew(0.0);
  EXPECT_FALSE(after(5, 3, 1000)) << "which the move is to blame for";
  for (Generation g = 6; g <= 9; ++g) EXPECT_FALSE(after(g, 3, 1000)) << g;
}

TEST(LoadBalance, forgets_how_slow_a_worker_was_that_has_had_no_cells_for_long) {
  PlayedRun run({1, 2, 3}, 4, [](Rank rank, Generation generation) {
    return rank.value == (generation < 80 ? 2 : 4) ? 5 : 1;
  });
  run.train(200);
  EXPECT_EQ(run.moved_after_.size(), 2U);
  EXPECT_THAT(run.counts(), ElementsAre(1, 1, 1, 0)) << "the first slow one has a cell again";
}

}  // namespace
}  // namespace lipizz::master::load_balance_test
