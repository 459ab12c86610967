#include "data/points.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "core/hash.hpp"
#include "data/support.hpp"

namespace lipizz::data::points_test {
namespace {

struct Deviation {
  double mean_x = 0, mean_y = 0, square = 0, covariance = 0, n_within_3_sigma = 0;
};

/// How the training points lie about the modes that their labels name.
Deviation deviation_of(const Dataset& dataset) {
  const std::vector<float> points = read_train(dataset, dataset.n_train());
  Deviation sum;
  for (std::uint32_t i = 0; i < dataset.n_train(); ++i) {
    const Mode& mode = dataset.modes()[dataset.train_label(i)];
    const double dx = points[2 * i] - mode.x;
    const double dy = points[2 * i + 1] - mode.y;
    sum.mean_x += dx;
    sum.mean_y += dy;
    sum.square += dx * dx + dy * dy;
    sum.covariance += dx * dy;
    sum.n_within_3_sigma += dx * dx + dy * dy <= 9.0 * mode.sigma * mode.sigma;
  }
  return sum;
}

void expect_gaussian(const Dataset& dataset) {
  const double sigma = dataset.modes()[0].sigma;
  const double n = dataset.n_train();
  const Deviation sum = deviation_of(dataset);
  const double standard_error = sigma / std::sqrt(n);
  EXPECT_NEAR(sum.mean_x / n, 0.0, 4 * standard_error);
  EXPECT_NEAR(sum.mean_y / n, 0.0, 4 * standard_error);
  EXPECT_NEAR(sum.square / n, 2 * sigma * sigma, 4 * 2 * sigma * sigma / std::sqrt(n));
  EXPECT_NEAR(sum.covariance / n, 0.0, 4 * sigma * sigma / std::sqrt(n));
  // In the plane a Gaussian has 1 - exp(-9/2) of its mass within three sigma.
  EXPECT_NEAR(sum.n_within_3_sigma / n, 1.0 - std::exp(-4.5), 4 * std::sqrt(0.0111 / n));
}

void expect_equal_shares(const Dataset& dataset) {
  std::vector<std::uint32_t> counts(dataset.n_classes());
  for (std::uint32_t i = 0; i < dataset.n_train(); ++i) ++counts.at(dataset.train_label(i));
  const double expected = static_cast<double>(dataset.n_train()) / dataset.n_classes();
  for (const std::uint32_t count : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}

TEST(Ring8, is_eight_gaussians_on_the_unit_circle) {
  const auto ring = open_dataset("ring8", {});
  EXPECT_EQ(ring->kind(), SampleKind::kPoint);
  EXPECT_EQ(ring->shape().size(), 2U);
  EXPECT_EQ(ring->n_train(), 100'000U);
  EXPECT_EQ(ring->n_test(), 10'000U);
  ASSERT_EQ(ring->modes().size(), 8U);
  EXPECT_EQ(ring->n_classes(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    const double angle = 2.0 * M_PI * static_cast<double>(k) / 8.0;
    EXPECT_NEAR(ring->modes()[k].x, std::cos(angle), 1e-6);
    EXPECT_NEAR(ring->modes()[k].y, std::sin(angle), 1e-6);
    EXPECT_EQ(ring->modes()[k].sigma, 0.01f);
  }
  expect_gaussian(*ring);
  expect_equal_shares(*ring);
}

TEST(Grid25, is_25_gaussians_two_apart) {
  const auto grid = open_dataset("grid25", {});
  std::set<std::pair<float, float>> places;
  for (const Mode& mode : grid->modes()) {
    places.emplace(mode.x, mode.y);
    EXPECT_EQ(mode.sigma, 0.05f);
  }
  std::set<std::pair<float, float>> expected;
  for (const float x : {-4.0f, -2.0f, 0.0f, 2.0f, 4.0f}) {
    for (const float y : {-4.0f, -2.0f, 0.0f, 2.0f, 4.0f}) expected.emplace(x, y);
  }
  EXPECT_EQ(places, expected);
  EXPECT_EQ(grid->n_classes(), 25U);
  expect_gaussian(*grid);
  expect_equal_shares(*grid);
}

TEST(Points, test_points_are_others_than_training_points) {
  const auto ring = open_dataset("ring8", {});
  std::vector<float> train(20'000);
  std::vector<float> test(20'000);
  ring->read_train(first_indices(10'000), train);
  ring->read_test(first_indices(10'000), test);
  std::set<std::pair<float, float>> seen;
  for (std::size_t i = 0; i < train.size(); i += 2) seen.emplace(train[i], train[i + 1]);
  std::size_t n_shared = 0;
  for (std::size_t i = 0; i < test.size(); i += 2) n_shared += seen.count({test[i], test[i + 1]});
  EXPECT_LT(n_shared, 5U);
}

TEST(Points, are_the_same_everywhere) {
  EXPECT_EQ(to_hex(open_dataset("ring8", {})->content_hash()), "4a92e943e5b095ec");
  EXPECT_EQ(to_hex(open_dataset("grid25", {})->content_hash()), "da0684129ef7f389");
}

}  // namespace
}  // namespace lipizz::data::points_test
