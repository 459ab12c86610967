#include "metrics/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "metrics/made_features.hpp"
#include "metrics/neighbours.hpp"

namespace lipizz::metrics::manifold_test {
namespace {

using testing::made_features;

std::vector<double> plain_radii(const FeatureRows& rows, std::size_t k) {
  std::vector<double> radii;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> distances;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (i != j) distances.push_back(squared_distance(rows.row(i), rows.row(j)));
    }
    std::ranges::sort(distances);
    radii.push_back(distances[k - 1]);
  }
  return radii;
}

struct Shares {
  double precision, recall, density, coverage;
};

// As prdc's program reads, pair by pair.
Shares plainly(const FeatureRows& real, const FeatureRows& generated, std::size_t k) {
  const auto a = plain_radii(real, k);
  const auto b = plain_radii(generated, k);
  std::vector<int> precise(generated.size());
  std::vector<int> recalled(real.size());
  std::vector<int> covered(real.size());
  int balls = 0;
  for (std::size_t i = 0; i < real.size(); ++i) {
    for (std::size_t j = 0; j < generated.size(); ++j) {
      const double distance = squared_distance(real.row(i), generated.row(j));
      if (distance < a[i]) ++balls, precise[j] = 1, covered[i] = 1;
      if (distance < b[j]) recalled[i] = 1;
    }
  }
  const auto share = [](const std::vector<int>& flags) {
    return double(std::ranges::count(flags, 1)) / double(flags.size());
  };
  return {share(precise), share(recalled), double(balls) / double(k * generated.size()),
          share(covered)};
}

void expect_equal(const Manifold& found, const Shares& expected) {
  EXPECT_DOUBLE_EQ(found.precision.value, expected.precision);
  EXPECT_DOUBLE_EQ(found.recall.value, expected.recall);
  EXPECT_NEAR(found.density.value, expected.density, 1e-12 * expected.density);
  EXPECT_DOUBLE_EQ(found.coverage.value, expected.coverage);
}

TEST(Manifold, is_prdc_s) {
  const auto real = made_features(300 * 6, 1);
  const auto generated = made_features(250 * 6, 2, 0.75f, 0.125f);
  const Manifold found = manifold({real, 6}, {generated, 6});
  expect_equal(found, {0.996, 0.77, 1.396, 0.9066666666666666});
  EXPECT_NEAR(found.recall.error, std::sqrt(0.77 * 0.23 / 300), 1e-15);
  EXPECT_NEAR(found.precision.error, std::sqrt(0.996 * 0.004 / 250), 1e-15);
}

TEST(Manifold, is_the_same_pair_by_pair_for_all_sizes) {
  for (const std::size_t n : {6, 32, 33, 300}) {
    for (const std::size_t d : {1, 3, 70}) {
      const auto real = made_features(n * d, 3, 1, 100);  // far from 0 for its spread
      const auto generated = made_features((n + 5) * d, 4, 0.9f, 100.1f);
      expect_equal(manifold({real, d}, {generated, d}), plainly({real, d}, {generated, d}, 5));
    }
  }
}

TEST(Manifold, tells_distances_apart_that_single_precision_does_not) {
  // Clusters of rows that differ in their last bits alone, 1000 apart.
  std::vector<float> real;
  std::vector<float> generated;
  const auto noise = made_features(400 * 4, 5);
  for (std::size_t i = 0; i < 200 * 4; ++i) {
    const float centre = i / 4 % 2 == 0 ? 1000.0f : 2000.0f;
    real.push_back(centre + 1e-3f * noise[i]);
    generated.push_back(centre + 1e-3f * noise[800 + i]);
  }
  expect_equal(manifold({real, 4}, {generated, 4}), plainly({real, 4}, {generated, 4}, 5));
}

TEST(Manifold, counts_ties_exactly) {
  // A lattice: many distances are equal, and a row at exactly the radius lies outside.
  std::vector<float> real;
  std::vector<float> generated;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      real.insert(real.end(), {float(i), float(j)});
      generated.insert(generated.end(), {float(i) + 0.5f, float(j) + 1});
    }
  }
  expect_equal(manifold({real, 2}, {generated, 2}), plainly({real, 2}, {generated, 2}, 5));
  expect_equal(manifold({real, 2}, {real, 2}), plainly({real, 2}, {real, 2}, 5));
}

TEST(Manifold, of_numbers_of_any_size) {
  const auto values = made_features(60 * 3, 6);
  for (const float scale : {1e-30f, 1e-15f, 1e15f, 1e30f}) {
    std::vector<float> real(values);
    for (float& value : real) value *= scale;
    const auto half = std::span(real).subspan(90);
    expect_equal(manifold({std::span(real).first(90), 3}, {half, 3}),
                 plainly({std::span(real).first(90), 3}, {half, 3}, 5));
  }
}

TEST(Manifold, of_equal_sets_is_whole) {
  const auto rows = made_features(200 * 8, 7);
  const Manifold found = manifold({rows, 8}, {rows, 8});
  EXPECT_EQ(found.precision.value, 1);
  EXPECT_EQ(found.recall.value, 1);
  EXPECT_EQ(found.coverage.value, 1);
  EXPECT_EQ(found.precision.error, 0);
  EXPECT_GT(found.density.value, 0.9);
}

TEST(Manifold, of_one_distribution_has_density_one_and_coverage_of_1_minus_2_to_the_minus_k) {
  const auto real = made_features(2000 * 8, 8);
  const auto generated = made_features(2000 * 8, 9);
  const Manifold found = manifold({real, 8}, {generated, 8});
  EXPECT_NEAR(found.density.value, 1, 5 * found.density.error);
  EXPECT_NEAR(found.coverage.value, 1 - std::pow(2.0, -5), 5 * found.coverage.error);
}

TEST(Manifold, a_missing_class_costs_recall_and_coverage_alone) {
  auto real = made_features(400 * 2, 10);
  for (std::size_t i = 0; i < 200 * 2; ++i) real[i] += 100;
  const auto generated = made_features(400 * 2, 11);  // none of the first class
  const Manifold found = manifold({real, 2}, {generated, 2});
  EXPECT_GT(found.precision.value, 0.95);
  EXPECT_LT(found.recall.value, 0.51);
  EXPECT_LT(found.coverage.value, 0.51);
}

TEST(Manifold, of_constant_features_lies_in_no_ball) {
  const std::vector<float> rows(50 * 2, 3.0f);
  const Manifold found = manifold({rows, 2}, {rows, 2});
  EXPECT_EQ(found.precision.value, 0);
  EXPECT_EQ(found.coverage.value, 0);
  EXPECT_EQ(found.density.value, 0);
}

TEST(Manifold, of_too_few_rows_or_what_is_not_finite_is_not_a_number) {
  auto rows = made_features(40 * 2, 12);
  EXPECT_TRUE(std::isnan(manifold({std::span(rows).first(10), 2}, {rows, 2}).recall.value));
  EXPECT_FALSE(std::isnan(manifold({std::span(rows).first(12), 2}, {rows, 2}).recall.value));
  const auto other = rows;
  rows[7] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(manifold({other, 2}, {rows, 2}).precision.value));
}

}  // namespace
}  // namespace lipizz::metrics::manifold_test
