#include "master/saving.hpp"

#include "checkpoint/run_checkpoints.hpp"
#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master::saving_test {
namespace {

using comm::Directive;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

// Saves by time alone are the workers' business here; SavePlan's own test has the rest.
class SavingTest : public StandingMachineTest {
 protected:
  SavingTest() {
    experiment_.outputs.checkpoint.every = "off";
    std::ofstream(folder_ / "config.json") << "{}";
  }

  Saving& saving() {
    if (!saving_) saving_.emplace(experiment_, run_plan_, interruption_, metrics_, log_, clock_);
    return *saving_;
  }
  void save(Generation generation) {
    fs::create_directories(generation_folder(generation));
    for (const std::uint32_t cell : {0U, 1U}) saving().add({1, {cell}, generation, ""});
  }
  fs::path generation_folder(Generation generation) const {
    return checkpoint::RunCheckpoints(folder_, 2).file(generation, {0}).parent_path();
  }

  Interruption interruption_;
  std::optional<Saving> saving_;
};

TEST_F(SavingTest, keeps_the_last_two_complete_generations) {
  for (const Generation generation : {1U, 2U, 3U}) save(generation);
  EXPECT_EQ(saving().newest_complete(), 3U);
  EXPECT_FALSE(fs::exists(generation_folder(1)));
  EXPECT_TRUE(fs::exists(generation_folder(2)));
  EXPECT_TRUE(fs::exists(generation_folder(3)));
  EXPECT_THAT(log(), HasSubstr("generation 3 is saved"));
  EXPECT_TRUE(fs::exists(folder_ / "saved.json"));
  EXPECT_EQ(errors_, "");
}

TEST_F(SavingTest, a_generation_that_cannot_be_noted_is_saved_all_the_same) {
  fs::create_directories(folder_ / "saved.json" / "in the way");
  save(1);
  EXPECT_EQ(saving().newest_complete(), 1U);
  EXPECT_THAT(errors_, HasSubstr("saved.json"));
}

TEST_F(SavingTest, the_loss_of_the_folder_is_a_reason_to_stop) {
  saving().look_for_a_reason_to_stop();
  EXPECT_NO_THROW(saving().check_folder());
  fs::remove(folder_ / "config.json");
  saving().look_for_a_reason_to_stop();
  EXPECT_THAT(saving().stop_reason(), HasSubstr("was emptied"));
  EXPECT_THAT(errors_, HasSubstr("was emptied: saving what is done"));
  EXPECT_THROW(saving().check_folder(), CheckpointError);
}

TEST_F(SavingTest, a_cell_that_cannot_be_saved_warns_and_is_settled_all_the_same) {
  saving().add({1, {0}, 4, ""});
  EXPECT_FALSE(saving().is_settled());
  saving().add({1, {1}, 4, "the disk is full"});
  EXPECT_TRUE(saving().is_settled());
  EXPECT_THAT(errors_, HasSubstr("the disk is full"));
  EXPECT_EQ(saving().newest_complete(), 0U);
}

TEST_F(SavingTest, what_is_complete_as_the_run_ends_earlier_is_settled) {
  for (const std::uint32_t cell : {0U, 1U}) saving().add({1, {cell}, 3, ""});
  saving().add({1, {0}, 4, ""});
  saving().end_at(3, 2);
  EXPECT_TRUE(saving().is_settled());
}

TEST_F(SavingTest, a_cell_that_was_saved_at_another_end_is_not_settled) {
  saving().add({1, {0}, 4, ""});
  saving().end_at(3, 2);
  saving().add({2, {1}, 3, ""});
  EXPECT_FALSE(saving().is_settled());
  saving().add({2, {0}, 3, ""});
  EXPECT_TRUE(saving().is_settled());
}

TEST_F(SavingTest, and_is_an_error_once_the_run_is_stopping) {
  interruption_.request->ask("signal USR1");
  saving().look_for_a_reason_to_stop();
  EXPECT_THROW(saving().add({1, {1}, 2, "the disk is full"}), CheckpointError);
}

TEST_F(SavingTest, a_run_that_begins_at_its_end_has_nothing_to_settle) {
  run_plan_.start = 4;
  EXPECT_TRUE(saving().is_settled());
}

TEST_F(SavingTest, tells_all_workers_to_leave_when_it_is_asked_to_stop) {
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "");
  saving().reached(2);
  interruption_.request->ask("signal USR1");
  saving().look_for_a_reason_to_stop();
  EXPECT_THAT(out_, HasSubstr("signal USR1: saving what is done"));
  EXPECT_EQ(saving().stop_reason(), "signal USR1");
  EXPECT_EQ(saving().next_directive()->course, Directive::Course::kLeave);
  save(3);
  saving().flushed(Rank{1});
  EXPECT_EQ(saving().stopped_at(), std::nullopt);
  saving().flushed(Rank{2});
  EXPECT_EQ(saving().stopped_at(), 3U);
}

TEST_F(SavingTest, a_time_limit_leaves_time_for_two_saves) {
  interruption_.until_s = 200;
  saving().add({1, {0}, 1, "", 30});
  clock_.now = 134.9;  // 65.1 s are left, and 2 * 30 + 5 needed
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "");
  clock_.now = 135;
  saving().look_for_a_reason_to_stop();
  EXPECT_EQ(saving().stop_reason(), "the time limit");
}

}  // namespace
}  // namespace lipizz::master::saving_test
