#include "app/prepare_run.hpp"

#include "app/run_in_process.hpp"
#include "config/json.hpp"
#include "core/hash.hpp"
#include "master/run_folder.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/convolution_table.hpp"
#include "rank_runs.hpp"

namespace lipizz::app::prepare_run_test {
namespace {

using ::testing::HasSubstr;

class PrepareRun : public RankRuns {};

TEST_F(PrepareRun, a_finished_run_is_not_resumed_but_may_be_trained_on) {
  config::Experiment experiment = on_points(1, 2);
  EXPECT_EQ(run_in_process(experiment, into("run"), 2, clock_), 0);
  const auto before = result("run");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(run_in_process(experiment, resuming("run"), 2, clock_), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("has finished"));
  EXPECT_EQ(result("run"), before);
  experiment.generations += 2;
  EXPECT_EQ(run_in_process(experiment, resuming("run"), 2, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("undisturbed"), 2, clock_), 0);
  EXPECT_EQ(result("run")["fingerprint"], result("undisturbed")["fingerprint"]);
  EXPECT_EQ(metrics("run"), metrics("undisturbed"));
}

TEST_F(PrepareRun, a_run_that_is_going_on_elsewhere_is_not_resumed) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  EXPECT_THAT(run_each({load, load}, into("run")), ::testing::ElementsAre(0, 0));
  const auto before = metrics("run");
  const LoadExperiment longer = [&] {
    config::Experiment experiment = load();
    experiment.generations = 5;
    return experiment;
  };
  {
    const master::RunFolderLock somebody_else(base_ / "run");
    EXPECT_THAT(run_each({longer, longer}, resuming("run")), ::testing::ElementsAre(-1, 2));
    EXPECT_THAT(error_, HasSubstr("going on in another process"));
    EXPECT_EQ(metrics("run"), before);
  }
  EXPECT_THAT(run_each({longer, longer}, resuming("run")), ::testing::ElementsAre(0, 0));
}

TEST_F(PrepareRun, a_table_of_convolutions_is_part_of_a_run) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "a build without oneDNN";
  config::Experiment experiment = on_points(1, 2);
  experiment.compute.engine = "onednn";
  experiment.compute.convolution_table = base_ / "table.json";
  std::ofstream(experiment.compute.convolution_table) << nn::ConvolutionTable().to_json();
  const LoadExperiment load = [&] { return experiment; };
  EXPECT_THAT(run_each({load, load}, into("run")), ::testing::ElementsAre(0, 0));
  config::apply_file(base_ / "run" / "config.json", experiment);
  EXPECT_EQ(experiment.compute.convolution_table_hash, to_hex(nn::ConvolutionTable().hash()));
  experiment.generations += 1;
  experiment.compute.convolution_table.clear();
  EXPECT_THAT(run_each({load, load}, resuming("run")), ::testing::ElementsAre(-1, 2));
  EXPECT_THAT(error_, HasSubstr("this build's own"));
  experiment.compute.convolution_table_hash.clear();
  EXPECT_THAT(run_each({load, load}, resuming("run")), ::testing::ElementsAre(-1, 6));
  EXPECT_THAT(error_, HasSubstr("with configuration"));
  std::filesystem::rename(base_ / "table.json", base_ / "moved.json");
  experiment.compute.convolution_table = base_ / "moved.json";
  EXPECT_THAT(run_each({load, load}, resuming("run")), ::testing::ElementsAre(0, 0));
}

TEST_F(PrepareRun, what_one_rank_cannot_load_ends_all_before_anything_is_made) {
  const LoadExperiment load = [] { return on_points(2, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw ConfigError("no such file"); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("rank 2"));
  EXPECT_THAT(error_, HasSubstr("no such file"));
  EXPECT_THAT(run_each({fail, fail, fail}, into("run")), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_EQ(error_, "no such file");
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

TEST_F(PrepareRun, ranks_with_different_configurations_are_refused) {
  const LoadExperiment load = [] { return on_points(2, 2); };
  const LoadExperiment other = [] { return on_points(2, 3); };
  EXPECT_THAT(run_each({load, load, other}, into("run")), ::testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("configuration"));
  EXPECT_THAT(error_, HasSubstr("rank 2"));
}

TEST_F(PrepareRun, an_existing_folder_is_refused_and_left_alone) {
  std::filesystem::create_directory(base_ / "run");
  const LoadExperiment load = [] { return on_points(1, 2); };
  EXPECT_THAT(run_each({load, load}, into("run")), ::testing::ElementsAre(-1, 2));
  EXPECT_THAT(error_, HasSubstr("exists already"));
  EXPECT_TRUE(std::filesystem::is_empty(base_ / "run"));
}

}  // namespace
}  // namespace lipizz::app::prepare_run_test
