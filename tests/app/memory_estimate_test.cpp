#include "app/memory_estimate.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "data/dataset.hpp"

namespace lipizz::app::memory_estimate_test {
namespace {

config::Experiment on_glyphs() {
  config::Experiment experiment;
  experiment.model.name = "mlp";
  experiment.compute.engine = "reference";
  return experiment;
}

comm::RunPlan plan_of(std::vector<std::int32_t> rank_of_cell) {
  comm::RunPlan run_plan;
  run_plan.numerics = "baseline";
  run_plan.devices = {"", "cpu", "cuda:0", "cpu"};
  run_plan.rank_of_cell = std::move(rank_of_cell);
  return run_plan;
}

TEST(MemoryEstimate, is_of_the_ranks_that_host_cells) {
  config::Experiment experiment = on_glyphs();
  experiment.grid = {1, 3};
  const setup::MemoryEstimate estimate = estimate_memory(experiment, plan_of({1, 1, 2}));
  ASSERT_EQ(estimate.workers.size(), 2U);
  EXPECT_EQ(estimate.workers[0].rank, Rank{1});
  EXPECT_EQ(estimate.workers[0].n_cells, 2U);
  EXPECT_FALSE(estimate.workers[0].is_on_gpu);
  EXPECT_EQ(estimate.workers[1].n_cells, 1U);
  EXPECT_TRUE(estimate.workers[1].is_on_gpu);
  EXPECT_GT(estimate.workers[0].memory.cells, estimate.workers[1].memory.cells);
  EXPECT_EQ(estimate.dataset.content_bytes(), 70'000U * (28 * 28 + 2));
}

// As many as there may be: 110 TB, found without a thought for each.
TEST(MemoryEstimate, of_the_largest_grid_is_found) {
  config::Experiment experiment = on_glyphs();
  experiment.grid = {4096, 4096};
  std::vector<std::int32_t> rank_of_cell(1U << 24, 1);
  std::fill(rank_of_cell.begin() + (1U << 23), rank_of_cell.end(), 3);
  const setup::MemoryEstimate estimate = estimate_memory(experiment, plan_of(rank_of_cell));
  EXPECT_EQ(estimate.workers[1].rank, Rank{3});
  EXPECT_GT(estimate.workers[1].memory.total(), std::size_t{100} << 40);
}

TEST(MemoryEstimate, samples_that_do_not_fill_a_batch_are_refused) {
  config::Experiment experiment = on_glyphs();
  experiment.data.batch_size = 60'001;
  EXPECT_THROW(estimate_memory(experiment, plan_of({1})), ConfigError);
}

TEST(MemoryEstimate, files_that_are_not_there_are_an_error_of_data) {
  config::Experiment experiment = on_glyphs();
  experiment.data.dataset = "mnist";
  experiment.data.dir = "/nowhere";
  EXPECT_THROW(estimate_memory(experiment, plan_of({1})), DataError);
}

TEST(MemoryEstimate, without_its_files_a_dataset_has_the_same_samples_but_none_of_them) {
  for (const data::DatasetEntry& entry : data::datasets()) {
    if (entry.origin != data::Origin::kBuiltIn) continue;
    config::Experiment experiment = on_glyphs();
    experiment.data.dataset = entry.name;
    const data::Description known = data::describe_dataset(entry.name, {});
    const data::Description told = dataset_without_samples(experiment);
    EXPECT_EQ(told.name, known.name);
    EXPECT_EQ(static_cast<const data::SampleForm&>(told),
              static_cast<const data::SampleForm&>(known))
        << entry.name;
    EXPECT_EQ(told.content_bytes(), 0U);
  }
}

TEST(MemoryEstimate, without_its_files_differs_in_the_order_of_samples_alone) {
  const config::Experiment experiment = on_glyphs();
  const auto known = estimate_memory(experiment, plan_of({1})).workers[0].memory;
  const auto told = estimate_memory(experiment, plan_of({1}), dataset_without_samples(experiment))
                        .workers[0]
                        .memory;
  EXPECT_EQ(told.cells, known.cells);
  EXPECT_EQ(told.programs, known.programs);
  EXPECT_LT(told.samples, known.samples);
}

}  // namespace
}  // namespace lipizz::app::memory_estimate_test
