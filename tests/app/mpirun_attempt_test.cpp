#include "app/mpirun_attempt.hpp"

#include <gtest/gtest.h>

#include "master/run_folder.hpp"

namespace lipizz::app::mpirun_attempt_test {
namespace {

// Shell commands stand for mpirun.
class MpirunAttempts : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(run_); }
  void TearDown() override { std::filesystem::remove_all(run_); }

  LaunchEnd end_of(const std::string& script) {
    StopSignals signals;
    return MpirunAttempt({"sh", "-c", script}, session_, run_, "ours").wait(signals);
  }

  // The command with which a master of that name would leave a result.
  [[nodiscard]] std::string finish_as(const std::string& holder) const {
    return "printf " + holder + " > " + (run_ / ".lock").string() + "; echo > " +
           (run_ / "result.json").string();
  }

  const SessionFolder session_;
  const std::filesystem::path run_ =
      std::filesystem::path(::testing::TempDir()) / "lipizz_mpirun_attempt_test";
};

TEST_F(MpirunAttempts, an_exit_code_is_passed_on_but_for_0_without_a_result) {
  EXPECT_EQ(end_of("exit 7").exit_code, 7);
  EXPECT_EQ(end_of("exit 0").exit_code, 3);
  EXPECT_FALSE(end_of("exit 0").has_result);
}

TEST_F(MpirunAttempts, what_rank_0_tells_counts_more) {
  const std::string tell = "echo 75 > " + session_.exit_code_file().string();
  EXPECT_EQ(end_of(tell + "; exit 1").exit_code, 75);
}

// Ranks that outlive a killed mpirun, or that it ends after a killed rank, save what they have.
TEST_F(MpirunAttempts, a_stop_that_follows_from_a_kill_is_no_stop) {
  const std::string tell = "echo 75 > " + session_.exit_code_file().string();
  EXPECT_EQ(end_of(tell + "; exit 137").exit_code, 137);
  EXPECT_EQ(end_of(tell + "; kill -9 $$").exit_code, 137);
}

TEST_F(MpirunAttempts, a_result_of_this_attempt_is_the_end) {
  const LaunchEnd end = end_of(finish_as("ours") + "; exit 1");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_TRUE(end.has_result);
  EXPECT_FALSE(end_of("exit 1").has_result) << "it was there before";
}

TEST_F(MpirunAttempts, one_has_no_part_in_another_run_s_result) {
  const LaunchEnd end = end_of(finish_as("theirs") + "; exit 1");
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_FALSE(end.has_result);
  EXPECT_FALSE(end.has_started);
}

TEST_F(MpirunAttempts, one_has_started_when_rank_0_tells_or_takes_the_folder) {
  EXPECT_FALSE(end_of("exit 1").has_started);
  { const master::RunFolderLock of_an_earlier_start(run_, "ours"); }
  EXPECT_FALSE(end_of("exit 1").has_started);
  EXPECT_TRUE(end_of("touch -d 2001-01-01 " + (run_ / ".lock").string() + "; exit 1").has_started);
  EXPECT_TRUE(end_of("echo 3 > " + session_.exit_code_file().string() + "; exit 1").has_started);
}

TEST_F(MpirunAttempts, its_ranks_hear_who_has_started_them) {
  EXPECT_EQ(end_of("test $LIPIZZ_LAUNCH_ID = ours || exit 7; exit 8").exit_code, 8);
}

}  // namespace
}  // namespace lipizz::app::mpirun_attempt_test
