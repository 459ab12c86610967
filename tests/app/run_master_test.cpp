#include "app/run_master.hpp"

#include "app/run_in_process.hpp"
#include "config/json.hpp"
#include "rank_runs.hpp"

namespace lipizz::app {
namespace {

using ::testing::HasSubstr;

class RunMaster : public RankRuns {};

TEST_F(RunMaster, a_time_limit_of_nothing_stops_as_soon_as_it_can) {
  config::Experiment experiment = on_points(1, 2);
  experiment.generations = 1'000'000;
  RunOptions options = into("run");
  options.time_limit_s = 0;
  EXPECT_EQ(run_in_process(experiment, options, 2, clock_), 75);
}

// Its log cannot be opened: every rank waits for it already.
TEST_F(RunMaster, a_master_that_cannot_begin_ends_all_with_its_error) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  std::filesystem::create_directories(base_ / "run" / "run.log");
  std::ofstream(base_ / "run" / "config.json") << config::to_json(load());
  EXPECT_THAT(run_each({load, load, load}, resuming("run")), testing::ElementsAre(6, 3, 3));
  EXPECT_THAT(error_, HasSubstr("run.log"));
}

TEST_F(RunMaster, what_nobody_foresaw_at_set_up_ends_all_too) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw std::bad_alloc(); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), testing::ElementsAre(-1, 70, 70));
  EXPECT_THAT(error_, HasSubstr("bad_alloc"));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

TEST_F(RunMaster, a_dry_run_prints_placement_and_memory_and_makes_nothing) {
  RunOptions options = into("run");
  options.dry_run = true;
  const LoadExperiment load = [] { return on_points(1, 3); };
  testing::internal::CaptureStdout();
  EXPECT_THAT(run_each({load, load, load}, options), testing::ElementsAre(0, 0, 0));
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, HasSubstr("hosts cells 0-1"));
  EXPECT_THAT(text, HasSubstr("memory: "));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

}  // namespace
}  // namespace lipizz::app
