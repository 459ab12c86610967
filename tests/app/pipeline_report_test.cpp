#include "app/pipeline_report.hpp"

#include <gmock/gmock.h>

#include "app/memory_estimate.hpp"

namespace lipizz::app::pipeline_report_test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// One cell on so many ranks.
std::string report(config::Experiment& experiment, std::uint32_t n_ranks, std::uint32_t n_stages) {
  experiment.model.name = "mlp-2d";
  experiment.data.dataset = "ring8";
  experiment.data.micro_batches = 4;
  experiment.compute.engine = "reference";
  experiment.grid = {1, 1};
  experiment.compute.ranks_per_cell = n_ranks;
  experiment.compute.pipeline.stages = n_stages;
  comm::RunPlan run_plan;
  run_plan.numerics = "baseline";
  run_plan.ranks_per_cell = n_ranks;
  run_plan.rank_of_cell = {1};
  run_plan.devices = {""};
  run_plan.devices.resize(1 + n_ranks, "cpu");
  return pipeline_report(experiment, run_plan, estimate_memory(experiment, run_plan));
}

TEST(PipelineReport, says_how_ranks_share_layers_and_what_each_holds) {
  config::Experiment experiment;
  const std::string text = report(experiment, 4, 2);
  EXPECT_THAT(text,
              ContainsRegex("pipeline: 4 ranks to a cell, 2 replicas of 2 stages; stages wait "
                            "for each other [0-9]+ % of a step of the generator, [0-9]+ % of "
                            "one of the discriminator, by"));
  EXPECT_THAT(
      text,
      AllOf(ContainsRegex("pipeline: rank 1: stage 1, generator: layers? 1.* \\([0-9]+ "
                          "parameters\\), discriminator: layer.* [0-9.]+ [kM]B\n"),
            HasSubstr("pipeline: rank 2: stage 2, "), HasSubstr("pipeline: rank 3: stage 1, "),
            HasSubstr("pipeline: rank 4: stage 2, ")));
}

TEST(PipelineReport, tells_of_networks_that_are_at_some_stages) {
  config::Experiment experiment;
  experiment.generator.stages = 1;
  experiment.discriminator.stages = 1;
  const std::string text = report(experiment, 2, 2);
  EXPECT_THAT(text, ContainsRegex("rank 1: stage 1, generator: layers 1 to [0-9]+ \\([0-9]+ "
                                  "parameters\\), discriminator: no layer; "));
  EXPECT_THAT(text, ContainsRegex("rank 2: stage 2, generator: no layer, discriminator: layers 1"));
}

TEST(PipelineReport, says_nothing_without_stages) {
  config::Experiment experiment;
  EXPECT_EQ(report(experiment, 2, 1), "");
}

}  // namespace
}  // namespace lipizz::app::pipeline_report_test
