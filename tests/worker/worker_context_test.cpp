#include "worker/worker_context.hpp"

#include <gtest/gtest.h>

#include <functional>

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

// Values that replicas of a stage had not told each other when a rank was lost never come.
TEST(WorkerContext, ranks_of_a_cell_begin_anew_without_what_they_expected) {
  comm::RunPlan plan = run_plan();
  config::Experiment experiment;
  config::apply_json(plan.experiment, "test", experiment);
  experiment.data.micro_batches = 4;
  experiment.compute.ranks_per_cell = 4;
  experiment.compute.pipeline.stages = 2;
  plan.experiment = config::to_json(experiment);
  plan.ranks_per_cell = 4;
  plan.devices = {"", "cpu", "cpu", "cpu", "cpu"};
  const Rank first{1};
  const Rank second{3};
  WorkerContext a(plan, first, "");
  WorkerContext b(plan, second, "");
  const SystemClock clock;
  const auto connect = [&clock](WorkerContext& from, Rank self, WorkerContext& to) {
    from.cell().connect(
        {.send = [&to, self](Rank, Bytes message) { to.cell().deliver(self, message); },
         .progress_until = [](const std::function<bool()>&, double) {},
         .clock = &clock});
  };
  connect(a, first, b);
  connect(b, second, a);
  const auto join = [&](std::uint32_t incarnation) {
    a.join_cell({Rank{1}, Rank{2}, Rank{3}, Rank{4}}, first, incarnation);
    b.join_cell({Rank{1}, Rank{2}, Rank{3}, Rank{4}}, second, incarnation);
  };
  join(1);
  b.device().replicas()->expect(0, 5);
  b.device().collectives()->expect(0, 5);
  join(2);
  for (const auto ranks : {&nn::Device::replicas, &nn::Device::collectives}) {
    const bool is_of_stage = ranks == &nn::Device::replicas;
    const std::vector<float> told{1, 2, 3};
    (a.device().*ranks)()->send(is_of_stage ? 1 : 2, told);
    (a.device().*ranks)()->send(is_of_stage ? 1 : 2, std::vector<float>(7));  // behind that
    std::vector<float> found(3);
    (b.device().*ranks)()->receive(0, found);
    EXPECT_EQ(found, told);
    std::vector<float> behind(7);
    (b.device().*ranks)()->receive(0, behind);
  }
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
