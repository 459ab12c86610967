#include "app/run_estimate.hpp"

#include <gmock/gmock.h>

namespace lipizz::app {
namespace {

// The published networks: 283,920 and 267,009 parameters, padded a little.
TEST(RunEstimate, counts_a_cells_networks) {
  config::Experiment experiment;
  experiment.model.name = "mlp";
  experiment.grid = {3, 3};
  experiment.selection.tournament_size = 0;
  const double weights = 4.0 * (283'920 + 267'009);
  // Centre and offspring with two moments each; four neighbours twice and two of its own.
  EXPECT_NEAR(static_cast<double>(cell_bytes(experiment)), weights * (2 * 3 + 2 * 4 + 2),
              0.001 * weights);
  experiment.selection.tournament_size = 2;  // moments travel too
  EXPECT_NEAR(static_cast<double>(cell_bytes(experiment)), weights * 3 * (2 + 2 * 4 + 2),
              0.001 * weights);
}

TEST(RunEstimate, reads_well) {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  experiment.data.dataset = "ring8";
  experiment.grid = {1, 3};
  comm::Verdict verdict;
  verdict.hosts = {"m", "a", "a"};
  verdict.rank_of_cell = {1, 1, 2};
  EXPECT_THAT(
      memory_estimate(experiment, verdict),
      testing::ContainsRegex("memory: [0-9.]+ MB .* busiest rank \\(2 cells\\), 0.9 MB of ring8"));
}

}  // namespace
}  // namespace lipizz::app
