#include "app/run_worker.hpp"

#include "rank_runs.hpp"
#include "worker/fake_island.hpp"

namespace lipizz::app::run_worker_test {
namespace {

using ::testing::HasSubstr;

class RunWorker : public RankRuns {};

TEST_F(RunWorker, an_error_while_training_ends_all_with_its_code) {
  config::Experiment experiment = on_points(2, 2);
  experiment.seed = coev::fake::kSeedOfFailure;
  const LoadExperiment load = [&] { return experiment; };
  EXPECT_THAT(run_each({load, load, load, load, load, load}, into("run")),
              ::testing::ElementsAre(-1, 4, 4, 4, 4, 4));
  EXPECT_EQ(error_, "the samples are gone");
}

}  // namespace
}  // namespace lipizz::app::run_worker_test
