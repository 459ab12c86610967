#include "worker/worker_context.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::worker::worker_context_test {
namespace {

comm::RunPlan run_plan() {
  config::Experiment experiment;
  experiment.data.dataset = "ring8";
  experiment.model.name = "mlp-2d";
  experiment.compute.engine = "reference";
  comm::RunPlan run_plan;
  run_plan.experiment = config::to_json(experiment);
  run_plan.numerics = "baseline";
  run_plan.hosts = {"m", "a", "a"};
  run_plan.devices = {"", "cpu", "cuda:x"};
  return run_plan;
}

TEST(WorkerContext, is_what_the_run_plan_says_with_the_data_of_this_node) {
  WorkerContext context(run_plan(), Rank{1}, "/data/here");
  EXPECT_EQ(context.experiment().data.dataset, "ring8");
  EXPECT_EQ(context.experiment().data.dir, "/data/here");
  EXPECT_EQ(context.device().name(), "cpu");
  EXPECT_EQ(&context.device(), &context.device()) << "opened once";
}

TEST(WorkerContext, a_device_that_is_none_is_refused_when_it_is_asked_for) {
  WorkerContext context(run_plan(), Rank{2}, "");
  EXPECT_THROW(static_cast<void>(context.device()), ConfigError);
}

TEST(WorkerContext, a_run_plan_that_makes_no_sense_is_refused) {
  comm::RunPlan broken = run_plan();
  broken.experiment = "{";
  EXPECT_THROW(WorkerContext(broken, Rank{1}, ""), ConfigError);
  broken = run_plan();
  broken.convolution_table = "[";
  EXPECT_THROW(WorkerContext(broken, Rank{1}, ""), Error);
}

}  // namespace
}  // namespace lipizz::worker::worker_context_test
