#include "app/run_training.hpp"

#include <gmock/gmock.h>
#include <pthread.h>

#include <csignal>

#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app::run_training_test {
namespace {

using RunTraining = RunsTest;

config::Experiment smallest() {
  config::Experiment experiment = on_points(1, 2);
  experiment.generations = 1;
  return experiment;
}

TEST_F(RunTraining, without_a_launcher_runs_in_one_process_and_says_so) {
  RunOptions options = into("run");
  options.quiet = false;
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_training(smallest, options), 0);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, ::testing::StartsWith("training mlp-2d on ring8: 1x2 cells on "));
  EXPECT_THAT(text, ::testing::HasSubstr(
                        "in one process (lipizz launch starts ranks); the run's folder is " +
                        (base_ / "run").string() + "\n"));
  EXPECT_EQ(result("run")["generations"], 1);
}

TEST_F(RunTraining, the_first_line_comes_before_any_data_are_read) {
  RunOptions options = into("run");
  options.quiet = false;
  const auto without_data = [] {
    config::Experiment experiment = smallest();
    experiment.data.dataset = "mnist";
    experiment.data.dir = "/nowhere";
    return experiment;
  };
  ::testing::internal::CaptureStdout();
  EXPECT_THROW(run_training(without_data, options), Error) << "that of a worker";
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              ::testing::StartsWith("training mlp on mnist"));
}

TEST_F(RunTraining, quiet_is_quiet) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_training(smallest, into("run")), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST_F(RunTraining, a_dry_run_has_nothing_to_save_and_ends_at_once_when_asked_to) {
  bool waits = false;
  const LoadExperiment load = [&waits] {
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    waits = sigismember(&blocked, SIGTERM) == 1;
    return smallest();
  };
  RunOptions options = into("run");
  EXPECT_EQ(run_training(load, options), 0);
  EXPECT_TRUE(waits);
  options = into("dry");
  options.dry_run = true;
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_training(load, options), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), ::testing::HasSubstr("memory: "));
  EXPECT_FALSE(waits);
}

TEST_F(RunTraining, what_cannot_be_loaded_is_thrown) {
  EXPECT_THROW(
      run_training([]() -> config::Experiment { throw ConfigError("wrong"); }, into("run")),
      ConfigError);
}

}  // namespace
}  // namespace lipizz::app::run_training_test
