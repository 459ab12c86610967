#include "app/run_master.hpp"

#include "app/run_in_process.hpp"
#include "config/json.hpp"
#include "core/out_of_memory.hpp"
#include "rank_runs.hpp"

namespace lipizz::app::run_master_test {
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
  EXPECT_THAT(run_each({load, load, load}, resuming("run")), ::testing::ElementsAre(6, 3, 3));
  EXPECT_THAT(error_, HasSubstr("run.log"));
}

TEST_F(RunMaster, what_nobody_foresaw_at_set_up_ends_all_too) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw std::out_of_range("at"); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), ::testing::ElementsAre(-1, 70, 70));
  EXPECT_THAT(error_, HasSubstr("at (please report this)"));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

TEST_F(RunMaster, a_refused_allocation_at_set_up_is_no_bug) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw OutOfMemory(77); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("out of memory: 77 bytes"));
  EXPECT_THAT(run_each({fail, load, load}, into("run")), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("out of memory: 77 bytes"));
}

TEST_F(RunMaster, a_dry_run_prints_placement_and_memory_and_makes_nothing) {
  RunOptions options = into("run");
  options.dry_run = true;
  const LoadExperiment load = [] { return on_points(1, 3); };
  ::testing::internal::CaptureStdout();
  EXPECT_THAT(run_each({load, load, load}, options), ::testing::ElementsAre(0, 0, 0));
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, HasSubstr("hosts cells 0-1"));
  EXPECT_THAT(text, HasSubstr("memory: "));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

// Sixteen million cells.
TEST_F(RunMaster, a_run_that_cannot_fit_is_refused_with_the_figures_and_makes_nothing) {
  RunOptions options = into("run");
  const LoadExperiment load = [] { return on_points(4096, 4096); };
  EXPECT_THAT(run_each({load, load, load}, options), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_,
              ::testing::ContainsRegex("^memory: .* needs [0-9.]+ TB more for 16777216 cells "
                                       "on 2 workers, but [0-9.]+ .B are left of "));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
  options.dry_run = true;
  ::testing::internal::CaptureStdout();
  EXPECT_THAT(run_each({load, load, load}, options), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              ::testing::AllOf(HasSubstr("hosts cells 0-8388607"), HasSubstr("more are needed")));
  EXPECT_THAT(error_, HasSubstr("needs"));
}

TEST_F(RunMaster, who_knows_better_has_no_memory_checked) {
  RunOptions options = into("run");
  options.dry_run = true;
  const LoadExperiment load = [] {
    config::Experiment experiment = on_points(4096, 4096);
    experiment.compute.check_memory = false;
    return experiment;
  };
  ::testing::internal::CaptureStdout();
  EXPECT_THAT(run_each({load, load, load}, options), ::testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("not enough"));
}

}  // namespace
}  // namespace lipizz::app::run_master_test
