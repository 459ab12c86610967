#include "master/relocation.hpp"

#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master::relocation_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The steps, as far as they can be seen from outside, in the order in which they come.
class RelocationTest : public StandingMachineTest {
 protected:
  RelocationTest() { experiment_.outputs.checkpoint.every = "off"; }

  void save(Generation generation) {
    for (const std::uint32_t cell : {0U, 1U}) saving_.add({1, {cell}, generation, ""});
  }
  void train(Generation last) {
    for (Generation g = 1; g <= last; ++g) {
      for (const std::uint32_t cell : {0U, 1U}) gathering_.add(told(cell, g));
    }
  }

  std::vector<std::string> steps_;
  bool fits_ = true;
  int n_asked_ = 0;  // if it fits
  Interruption interruption_;
  Saving saving_{experiment_, run_plan_, interruption_, metrics_, log_, clock_};
  Gathering gathering_{experiment_,
                       assignments_,
                       metrics_,
                       log_,
                       clock_,
                       {{}, {}, clock_},
                       [](Rank, const comm::Task&) {}};
  Relocation relocation_{
      experiment_,
      assignments_,
      saving_,
      gathering_,
      metrics_,
      log_,
      "the/run",
      clock_,
      [this](const auto&) {
        ++n_asked_;
        return fits_;
      },
      {.forget =
           [this](Rank rank) {
             steps_.push_back("forget " + std::to_string(rank.value) + " of " +
                              std::to_string(assignments_.present().incarnation));
           },
       .assign =
           [this] {
             steps_.push_back("assign " + std::to_string(assignments_.present().incarnation));
           },
       .tell_of_idle =
           [this](Rank rank) { steps_.push_back("tell of " + std::to_string(rank.value)); }}};
};

TEST_F(RelocationTest, moves_the_cells_to_a_spare_and_all_go_back_together) {
  train(3);
  save(2);
  relocation_.give_up(Rank{2}, 7.5);
  EXPECT_THAT(steps_, ElementsAre("forget 2 of 1", "assign 2"));
  const comm::Assignment& next = assignments_.present();
  EXPECT_EQ(next.start, 2U);
  EXPECT_THAT(next.rank_of_cell, ElementsAre(1, 3));
  EXPECT_THAT(next.lost, ElementsAre(2));
  EXPECT_EQ(errors_,
            "lipizz: warning: rank 2 on n2 (cells 1) is given up after 7.5 s of silence; cell 1 "
            "goes to rank 3, all cells go on from generation 2\n");
  EXPECT_THAT(log(), HasSubstr("rank 2 on n2 (cells 1) is given up"));
}

TEST_F(RelocationTest, names_the_collective_in_which_a_rank_waited) {
  assignments_.answered({1}, {.generation = 4, .waits_for = 2, .collective = "an all-gather"});
  relocation_.give_up(Rank{2}, 7.5);
  EXPECT_THAT(errors_, HasSubstr("is given up after 7.5 s of silence, in which rank 1 (last in "
                                 "generation 4) waited for it in an all-gather; cell 1 goes"));
}

TEST_F(RelocationTest, lines_that_are_written_may_come_again) {
  train(3);
  relocation_.give_up(Rank{2}, 7);
  EXPECT_EQ(assignments_.present().start, 0U);
  EXPECT_THAT(errors_, HasSubstr("all cells begin again"));
  EXPECT_NO_THROW(train(3));
  EXPECT_EQ(metrics_.written(), 3U);
}

TEST_F(RelocationTest, results_of_before_are_forgotten) {
  comm::CellResult result;
  result.incarnation = 1;
  gathering_.add(result);
  relocation_.give_up(Rank{2}, 7);
  result.incarnation = 2;
  EXPECT_NO_THROW(gathering_.add(result)) << "it is no second one";
}

TEST_F(RelocationTest, the_plan_to_stop_waits_for_the_workers_that_are_left) {
  relocation_.give_up(Rank{3}, 7);
  relocation_.give_up(Rank{2}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 1));
  interruption_.request->ask("signal USR1");
  saving_.look_for_a_reason_to_stop();
  save(1);
  saving_.flushed(Rank{1});
  EXPECT_EQ(saving_.stopped_at(), 1U) << "nobody waits for the lost";
}

TEST_F(RelocationTest, a_lost_spare_that_others_may_wait_for_moves_nothing_but_all_begin_anew) {
  relocation_.give_up(Rank{3}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 2));
  EXPECT_THAT(steps_, ElementsAre("forget 3 of 1", "assign 2"));
}

TEST_F(RelocationTest, a_spare_that_nobody_waits_for_is_lost_without_a_new_incarnation) {
  for (const Rank worker : {Rank{1}, Rank{2}}) assignments_.begun(worker, {1});
  train(3);
  relocation_.give_up(Rank{3}, 7);
  EXPECT_THAT(steps_, ElementsAre("forget 3 of 1", "tell of 3"));
  EXPECT_TRUE(assignments_.is_lost(Rank{3}));
  EXPECT_EQ(metrics_.written(), 3U);
  EXPECT_THAT(errors_, HasSubstr("it was idle, and all others go on"));
  relocation_.give_up(Rank{2}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 1)) << "not the lost spare";
  EXPECT_THAT(assignments_.present().lost, ElementsAre(2, 3));
}

TEST_F(RelocationTest, where_nobody_is_left_the_run_ends_before_anything_is_changed) {
  relocation_.give_up(Rank{3}, 7);
  relocation_.give_up(Rank{2}, 7);
  steps_.clear();
  try {
    relocation_.give_up(Rank{1}, 9);
    FAIL() << "went on";
  } catch (const comm::PeerLost& lost) {
    EXPECT_STREQ(lost.what(),
                 "rank 1 on n1 (cells 0, 1) is given up after 9.0 s of silence, and the run ends; "
                 "what it has written is in the/run");
  }
  EXPECT_THAT(steps_, ElementsAre());
  EXPECT_FALSE(assignments_.is_lost(Rank{1}));
}

// Cell 0 on a worker that takes so many times as long as that of cell 1.
class BalanceTest : public RelocationTest {
 protected:
  BalanceTest() { experiment_.generations = 40; }

  std::uint32_t best_ = 1;  // the cell with the best score

  void train(Generation last, double slowness) {
    for (Generation g = metrics_.written() + 1; g <= last && steps_.empty(); ++g) {
      for (const std::uint32_t cell : {0U, 1U}) {
        gathering_.add(told(cell, g, cell == best_ ? 10 : 20));
        relocation_.add({cell}, g, cell == 0 ? slowness : 1);
      }
      relocation_.balance(g);
    }
  }
};

TEST_F(BalanceTest, moves_the_cell_of_a_slow_worker_to_a_spare) {
  train(6, 5);
  EXPECT_THAT(steps_, ElementsAre("assign 2"));
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(3, 2));
  EXPECT_THAT(assignments_.present().source_of_cell, ElementsAre(1, 2));
  EXPECT_EQ(assignments_.present().start, metrics_.written());
  EXPECT_THAT(log(), HasSubstr("rank 1 on n1 holds the others up; cell 0 goes to rank 3, all "
                               "cells go on from generation"));
  EXPECT_THAT(log(), HasSubstr("; a generation takes about 1 s then, 5 now"));
}

TEST_F(BalanceTest, empties_nobody_who_alone_has_the_best_mixture) {
  best_ = 0;
  train(6, 5);
  EXPECT_THAT(steps_, ElementsAre());
  gathering_.ask_for_best_mixture(true);
  gathering_.add({comm::TaskKind::kBestMixture, "", 0, 0, "mixture-best"});
  train(7, 5);
  EXPECT_THAT(steps_, ElementsAre("assign 2"));
}

TEST_F(BalanceTest, leaves_cells_where_others_lack_the_memory) {
  fits_ = false;
  train(20, 5);
  EXPECT_THAT(steps_, ElementsAre());
  EXPECT_EQ(n_asked_, 1) << "an estimate takes time, and nothing changes it";
}

TEST_F(BalanceTest, leaves_equal_workers_alone) {
  train(20, 1.1);
  EXPECT_THAT(steps_, ElementsAre());
}

TEST_F(BalanceTest, leaves_cells_where_they_are_when_told_to) {
  experiment_.compute.balancing = "static";
  train(20, 5);
  EXPECT_THAT(steps_, ElementsAre());
}

TEST_F(BalanceTest, leaves_cells_where_nobody_waits) {
  experiment_.exchange.mode = "async";
  train(20, 5);
  EXPECT_THAT(steps_, ElementsAre());
}

}  // namespace
}  // namespace lipizz::master::relocation_test
