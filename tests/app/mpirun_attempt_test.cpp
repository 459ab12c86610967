#include "app/mpirun_attempt.hpp"

#include <gtest/gtest.h>

namespace lipizz::app {
namespace {

// Shell commands stand for mpirun.
class MpirunAttempts : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(run_); }
  void TearDown() override { std::filesystem::remove_all(run_); }

  LaunchEnd end_of(const std::string& script) {
    StopSignals signals(false);
    return MpirunAttempt({"sh", "-c", script}, session_, run_).wait(signals);
  }

  const SessionFolder session_;
  const std::filesystem::path run_ =
      std::filesystem::path(testing::TempDir()) / "lipizz_mpirun_attempt_test";
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

TEST_F(MpirunAttempts, a_result_of_this_attempt_is_the_end) {
  const std::string write = "echo > " + (run_ / "result.json").string();
  const LaunchEnd end = end_of(write + "; exit 1");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_TRUE(end.has_result);
  EXPECT_FALSE(end_of("exit 1").has_result) << "it was there before";
}

TEST_F(MpirunAttempts, a_refused_one_has_no_part_in_another_s_result) {
  const LaunchEnd end = end_of("echo 2 > " + session_.exit_code_file().string() + "; echo > " +
                               (run_ / "result.json").string() + "; exit 1");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_FALSE(end.has_result);
}

}  // namespace
}  // namespace lipizz::app
