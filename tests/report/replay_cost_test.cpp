#include "report/replay_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lipizz::report::replay_cost_test {
namespace {

constexpr grid::Torus kTorus{.rows = 1, .columns = 5};
const grid::Schedule kRing(grid::find_neighbourhood("ring3"));
const std::vector<CellId> kTarget{{2}};

// Each cell and generation tells so many seconds of training, a tenth of that for its mixture, and
// whatever for waiting.
std::vector<MetricsLine> lines_of(Generation generations) {
  std::vector<MetricsLine> lines;
  for (Generation generation = 1; generation <= generations; ++generation) {
    for (std::uint32_t cell = 0; cell < kTorus.cells(); ++cell) {
      MetricsLine line;
      line.generation = generation;
      line.cell = {cell};
      line.seconds = {{"gather", 1000}, {"train", 1}, {"evaluate", 1.0 * cell}, {"mixture", 0.1}};
      lines.push_back(line);
    }
  }
  return lines;
}

TEST(ReplayCost, counts_mixtures_of_the_targets_alone) {
  const grid::LightCone cone(kTorus, kRing, kTarget, 1, 3);  // 2 and then 1, 2, 3
  const double centres = (1 + 2) + (1 + 1) + (1 + 2) + (1 + 3);
  EXPECT_DOUBLE_EQ(replay_cpu_s(lines_of(3), cone, kTarget, false), centres + 0.2);
  EXPECT_DOUBLE_EQ(replay_cpu_s(lines_of(3), cone, kTarget, true), centres + 0.3);
}

TEST(ReplayCost, of_lines_that_are_missing_is_that_of_the_others) {
  const grid::LightCone cone(kTorus, kRing, kTarget, 0, 1);
  EXPECT_DOUBLE_EQ(replay_cpu_s(lines_of(1), cone, kTarget, false), 3.1);
  std::vector<MetricsLine> lines = lines_of(2);
  const grid::LightCone two(kTorus, kRing, kTarget, 0, 2);
  const double whole = replay_cpu_s(lines, two, kTarget, false);
  lines.erase(lines.begin() + 2);
  EXPECT_NEAR(replay_cpu_s(lines, two, kTarget, false), whole, 1e-9);
  EXPECT_TRUE(std::isnan(replay_cpu_s({}, two, kTarget, false)));
}

TEST(ReplayCost, of_nothing_is_nothing) {
  EXPECT_EQ(replay_cpu_s({}, grid::LightCone(kTorus, kRing, kTarget, 3, 3), kTarget, false), 0);
}

TEST(ReplayCost, a_difference_is_named) {
  const MetricsLine told = lines_of(1).front();
  MetricsLine other = told;
  other.seconds.clear();
  EXPECT_EQ(difference(told, other, true), "");
  other.score = 7;
  other.mixture = {{{1}, 0.5}};
  EXPECT_EQ(difference(told, other, false), "");
  EXPECT_EQ(difference(told, other, true), "score 7 in place of 0");
  other.score = told.score;
  EXPECT_EQ(difference(told, other, true), "other weights of its mixture");
  other.discriminator.rate = 0.5;
  EXPECT_EQ(difference(told, other, false), "discriminator.rate 0.5 in place of 0");
  other.generator.origin = {3};
  EXPECT_EQ(difference(told, other, false), "generator.origin 3 in place of 0");
}

TEST(ReplayCost, what_is_not_finite_in_both_is_no_difference) {
  MetricsLine told;
  told.generator.loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(difference(told, told, true), "");
}

}  // namespace
}  // namespace lipizz::report::replay_cost_test
