#include "master/recovery.hpp"

#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The steps, as far as they can be seen from outside, in the order in which they come.
class RecoveryTest : public StandingMachineTest {
 protected:
  RecoveryTest() { experiment_.outputs.checkpoint.every = "off"; }

  void save(Generation generation) {
    for (const std::uint32_t cell : {0U, 1U}) saving_.add({{cell}, generation, ""});
  }
  void train(Generation last) {
    for (Generation g = 1; g <= last; ++g) {
      for (const std::uint32_t cell : {0U, 1U}) gathering_.add(told(cell, g));
    }
  }

  std::vector<std::string> steps_;
  Interruption interruption_;
  Saving saving_{experiment_, run_plan_, interruption_, metrics_, log_, clock_};
  Gathering gathering_{experiment_,
                       assignments_,
                       metrics_,
                       log_,
                       clock_,
                       {{}, {}, clock_},
                       [](Rank, const comm::Task&) {}};
  Recovery recovery_{
      assignments_,
      saving_,
      gathering_,
      metrics_,
      log_,
      "the/run",
      [this](Rank rank) {
        steps_.push_back("forget " + std::to_string(rank.value) + " of " +
                         std::to_string(assignments_.present().incarnation));
      },
      [this] { steps_.push_back("assign " + std::to_string(assignments_.present().incarnation)); },
      [this](Rank rank) { steps_.push_back("tell of " + std::to_string(rank.value)); }};
};

TEST_F(RecoveryTest, moves_the_cells_to_a_spare_and_all_go_back_together) {
  train(3);
  save(2);
  recovery_.give_up(Rank{2}, 7.5);
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

TEST_F(RecoveryTest, lines_that_are_written_may_come_again) {
  train(3);
  recovery_.give_up(Rank{2}, 7);
  EXPECT_EQ(assignments_.present().start, 0U);
  EXPECT_THAT(errors_, HasSubstr("all cells begin again"));
  EXPECT_NO_THROW(train(3));
  EXPECT_EQ(metrics_.written(), 3U);
}

TEST_F(RecoveryTest, results_of_before_are_forgotten) {
  comm::CellResult result;
  result.incarnation = 1;
  gathering_.add(result);
  recovery_.give_up(Rank{2}, 7);
  result.incarnation = 2;
  EXPECT_NO_THROW(gathering_.add(result)) << "it is no second one";
}

TEST_F(RecoveryTest, the_plan_to_stop_waits_for_the_workers_that_are_left) {
  recovery_.give_up(Rank{3}, 7);
  recovery_.give_up(Rank{2}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 1));
  interruption_.request->ask("signal USR1");
  saving_.look_for_a_reason_to_stop();
  save(1);
  saving_.flushed(Rank{1});
  EXPECT_EQ(saving_.stopped_at(), 1U) << "nobody waits for the lost";
}

TEST_F(RecoveryTest, a_lost_spare_that_others_may_wait_for_moves_nothing_but_all_begin_anew) {
  recovery_.give_up(Rank{3}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 2));
  EXPECT_THAT(steps_, ElementsAre("forget 3 of 1", "assign 2"));
}

TEST_F(RecoveryTest, a_spare_that_nobody_waits_for_is_lost_without_a_new_incarnation) {
  for (const Rank worker : {Rank{1}, Rank{2}}) assignments_.begun(worker, {1});
  train(3);
  recovery_.give_up(Rank{3}, 7);
  EXPECT_THAT(steps_, ElementsAre("forget 3 of 1", "tell of 3"));
  EXPECT_TRUE(assignments_.is_lost(Rank{3}));
  EXPECT_EQ(metrics_.written(), 3U);
  EXPECT_THAT(errors_, HasSubstr("it was idle, and all others go on"));
  recovery_.give_up(Rank{2}, 7);
  EXPECT_THAT(assignments_.present().rank_of_cell, ElementsAre(1, 1)) << "not the lost spare";
  EXPECT_THAT(assignments_.present().lost, ElementsAre(2, 3));
}

TEST_F(RecoveryTest, where_nobody_is_left_the_run_ends_before_anything_is_changed) {
  recovery_.give_up(Rank{3}, 7);
  recovery_.give_up(Rank{2}, 7);
  steps_.clear();
  try {
    recovery_.give_up(Rank{1}, 9);
    FAIL() << "went on";
  } catch (const comm::PeerLost& lost) {
    EXPECT_STREQ(lost.what(),
                 "rank 1 on n1 (cells 0, 1) is given up after 9.0 s of silence, and the run ends; "
                 "what it has written is in the/run");
  }
  EXPECT_THAT(steps_, ElementsAre());
  EXPECT_FALSE(assignments_.is_lost(Rank{1}));
}

}  // namespace
}  // namespace lipizz::master
