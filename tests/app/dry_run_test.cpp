#include "app/dry_run.hpp"

#include <gmock/gmock.h>

#include "app/memory_estimate.hpp"

namespace lipizz::app::dry_run_test {
namespace {

// Three cells on two workers of two hosts.
std::string estimate(const config::Experiment& experiment, bool is_one_process) {
  comm::RunPlan run_plan;
  run_plan.numerics = "baseline";
  run_plan.rank_of_cell = {1, 1, 2};
  run_plan.devices = {"", "cpu", "cpu"};
  std::vector<comm::InventoryEntry> inventory(3);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    inventory[rank].host = is_one_process || rank < 2 ? "a" : "b";
    inventory[rank].pid = is_one_process ? 7 : rank;
  }
  return dry_run_report(estimate_memory(experiment, run_plan), run_plan, inventory);
}

config::Experiment on_points() {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  experiment.data.dataset = "ring8";
  experiment.compute.engine = "reference";
  experiment.grid = {1, 3};
  return experiment;
}

TEST(DryRun, tells_of_the_worker_that_holds_most_and_of_each_host) {
  const std::string text = estimate(on_points(), false);
  EXPECT_THAT(text,
              ::testing::ContainsRegex("memory: rank 1 holds most: [0-9.]+ MB, of which 2 cells"));
  EXPECT_THAT(text, ::testing::ContainsRegex(
                        "memory: a: [0-9.]+ MB in 2 processes, of which ring8 1.1 MB\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex(
                        "memory: b: [0-9.]+ MB in 1 process, of which ring8 1.1 MB\n"));
}

TEST(DryRun, counts_a_process_of_many_ranks_once) {
  EXPECT_THAT(
      estimate(on_points(), true),
      ::testing::ContainsRegex("memory: a: [0-9.]+ MB in 1 process, of which ring8 1.1 MB\n"));
}

TEST(DryRun, tells_what_each_rank_of_a_cell_holds) {
  config::Experiment experiment = on_points();
  experiment.grid = {1, 1};
  experiment.data.micro_batches = experiment.compute.ranks_per_cell = 2;
  comm::RunPlan run_plan;
  run_plan.numerics = "baseline";
  run_plan.rank_of_cell = {1};
  run_plan.devices = {"", "cpu", "cpu"};
  run_plan.ranks_per_cell = 2;
  const std::vector<comm::InventoryEntry> inventory(3);
  EXPECT_THAT(dry_run_report(estimate_memory(experiment, run_plan), run_plan, inventory),
              ::testing::ContainsRegex("memory: rank 1 holds most: [0-9.]+ MB, of which 1 cell .*\n"
                                       "memory: rank 2 holds: [0-9.]+ MB, of which networks "));
}

TEST(DryRun, says_which_samples_are_not_counted) {
  config::Experiment experiment = on_points();
  experiment.grid = {1, 1};
  comm::RunPlan run_plan;
  run_plan.numerics = "baseline";
  run_plan.rank_of_cell = {1};
  run_plan.devices = {"", "cpu"};
  std::vector<comm::InventoryEntry> inventory(2);
  const std::string text =
      dry_run_report(estimate_memory(experiment, run_plan, dataset_without_samples(experiment)),
                     run_plan, inventory);
  EXPECT_THAT(text, ::testing::ContainsRegex("holds most: [0-9.]+ MB, of which 1 cell [0-9.]+ MB"));
  EXPECT_THAT(text, ::testing::ContainsRegex("[0-9.]+ MB in 1 process, without ring8\n"));
}

}  // namespace
}  // namespace lipizz::app::dry_run_test
