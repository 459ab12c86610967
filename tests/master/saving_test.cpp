#include "master/saving.hpp"

#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master {
namespace {

using comm::Directive;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

// Saves by time alone are the workers' business here; SavePlan's own test has the rest.
class SavingTest : public StandingMachineTest {
 protected:
  SavingTest() { experiment_.checkpoint.every = "off"; }

  Saving& saving() {
    if (!saving_) saving_.emplace(experiment_, run_plan_, interruption_, metrics_, log_, clock_);
    return *saving_;
  }
  void save(Generation generation) {
    fs::create_directories(generation_folder(generation));
    for (const std::uint32_t cell : {0U, 1U}) saving().add({{cell}, generation, ""});
  }
  fs::path generation_folder(Generation generation) const {
    return checkpoint::RunCheckpoints(folder_, 2).file(generation, {0}).parent_path();
  }

  std::string asked_;  // who wants the run to stop
  Interruption interruption_{.requested = [this] { return asked_; }};
  std::optional<Saving> saving_;
};

TEST_F(SavingTest, keeps_the_last_two_complete_generations) {
  for (const Generation generation : {1U, 2U, 3U}) save(generation);
  EXPECT_EQ(saving().newest_complete(), 3U);
  EXPECT_FALSE(fs::exists(generation_folder(1)));
  EXPECT_TRUE(fs::exists(generation_folder(2)));
  EXPECT_TRUE(fs::exists(generation_folder(3)));
  EXPECT_THAT(log(), HasSubstr("generation 3 is saved"));
}

TEST_F(SavingTest, a_cell_that_cannot_be_saved_warns_and_is_settled_all_the_same) {
  saving().add({{0}, 4, ""});
  EXPECT_FALSE(saving().is_settled());
  saving().add({{1}, 4, "the disk is full"});
  EXPECT_TRUE(saving().is_settled());
  EXPECT_THAT(errors_, HasSubstr("the disk is full"));
  EXPECT_EQ(saving().newest_complete(), 0U);
}

TEST_F(SavingTest, and_is_an_error_once_the_run_is_stopping) {
  asked_ = "signal USR1";
  saving().look_for_a_reason_to_stop();
  EXPECT_THROW(saving().add({{1}, 2, "the disk is full"}), CheckpointError);
}

TEST_F(SavingTest, a_run_that_begins_at_its_end_has_nothing_to_settle) {
  run_plan_.start = 4;
  EXPECT_TRUE(saving().is_settled());
}

TEST_F(SavingTest, leads_all_workers_to_one_generation_when_it_is_asked_to_stop) {
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().next_directive(), std::nullopt);
  saving().reached(2);
  asked_ = "signal USR1";
  saving().look_for_a_reason_to_stop();
  asked_ = "a second signal";
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "signal USR1") << "the first reason stays";
  EXPECT_EQ(saving().next_directive()->hold_from, 3U);
  saving().paused(Rank{1}, 3);
  saving().paused(Rank{2}, 3);
  EXPECT_EQ(saving().stopped_at(), std::nullopt) << "not saved yet";
  save(3);
  EXPECT_EQ(saving().stopped_at(), 3U);
}

TEST_F(SavingTest, a_time_limit_leaves_two_of_the_longest_generations) {
  interruption_.until_s = 200;
  saving();
  clock_.now = 130;
  saving().all_reached(1);  // 30 s
  clock_.now = 134.9;       // 65.1 s are left, and 2 * 30 + 5 needed
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "");
  clock_.now = 135;
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "the time limit");
}

TEST_F(SavingTest, the_time_that_a_loss_costs_is_no_generation) {
  interruption_.until_s = 200;
  saving();
  clock_.now = 180;
  saving().go_back(0, 1);
  clock_.now = 185;
  saving().all_reached(1);  // 5 s
  clock_.now = 184.9;
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "");
}

}  // namespace
}  // namespace lipizz::master
