#include "metrics/frechet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metrics/support.hpp"

namespace lipizz::metrics::frechet_test {
namespace {

double distance(const Gaussian& a, const Gaussian& b) {
  return FrechetDistance(a).to(b);
}

// A A^T / d with A of [d, rank] normals.
Gaussian random_gaussian(std::size_t d, std::size_t rank, std::uint64_t key) {
  const std::vector<float> a = testing::normals(d * rank, key);
  const std::vector<float> mean = testing::normals(d, key + 1000);
  Gaussian gaussian{{mean.begin(), mean.end()}, std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < rank; ++k) {
        gaussian.covariance[i * d + j] += double{a[i * rank + k]} * a[j * rank + k] / double(d);
      }
    }
  }
  return gaussian;
}

TEST(Frechet, of_numbers_is_the_distance_of_means_and_deviations) {
  EXPECT_NEAR(distance({{1}, {4}}, {{-2}, {25}}), 9 + 9, 1e-12);
}

TEST(Frechet, of_equals_is_zero) {
  const Gaussian gaussian = random_gaussian(64, 80, 1);
  EXPECT_NEAR(distance(gaussian, gaussian), 0, 1e-12 * 64);
}

TEST(Frechet, of_diagonal_covariances_adds_up_the_coordinates) {
  const Gaussian a{{0, 1, 2}, {1, 0, 0, 0, 4, 0, 0, 0, 9}};
  const Gaussian b{{0, 0, 0}, {16, 0, 0, 0, 4, 0, 0, 0, 1}};
  EXPECT_NEAR(distance(a, b), (1 + 4) + (9 + 0 + 4), 1e-12);
}

TEST(Frechet, of_commuting_covariances_is_that_of_their_eigenvalues) {
  // Both turned by the same angle: eigenvalues 1, 9 and 4, 25.
  const double c = 0.6;
  const double s = 0.8;
  const auto turned = [&](double p, double q) {
    return Gaussian{
        {0, 0}, {c * c * p + s * s * q, c * s * (p - q), c * s * (p - q), s * s * p + c * c * q}};
  };
  EXPECT_NEAR(distance(turned(1, 9), turned(4, 25)), 1 + 4, 1e-12);
}

TEST(Frechet, of_two_by_two_covariances_has_a_closed_form) {
  const Gaussian a{{0, 0}, {2, 1, 1, 3}};
  const Gaussian b{{0, 0}, {5, -2, -2, 1}};
  // tr(AB)^1/2 = (tr(AB) + 2 (det A det B)^1/2)^1/2 where A and B are 2x2; they do not commute.
  const double trace = 2 * 5 + 2 * (1 * -2) + 3 * 1;
  const double root = std::sqrt(trace + 2 * std::sqrt(5.0 * 1.0));
  EXPECT_NEAR(distance(a, b), 5 + 6 - 2 * root, 1e-12);
}

TEST(Frechet, is_symmetric) {
  const Gaussian a = random_gaussian(64, 100, 2);
  const Gaussian b = random_gaussian(64, 70, 3);
  EXPECT_GT(distance(a, b), 1);
  EXPECT_NEAR(distance(a, b), distance(b, a), 1e-10);
}

TEST(Frechet, to_a_line_needs_no_inverse) {
  // Against v v^T the last term is (v^T S v)^1/2, from either side.
  const Gaussian full = random_gaussian(64, 100, 4);
  Gaussian line = random_gaussian(64, 1, 5);
  double product = 0;
  double trace = 0;
  double means = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) {
      product += full.covariance[i * 64 + j] * line.covariance[i * 64 + j];
    }
    trace += full.covariance[i * 65] + line.covariance[i * 65];
    means += (full.mean[i] - line.mean[i]) * (full.mean[i] - line.mean[i]);
  }
  const double expected = means + trace - 2 * std::sqrt(product);
  EXPECT_NEAR(distance(full, line), expected, 1e-6);
  EXPECT_NEAR(distance(line, full), expected, 1e-6);
}

TEST(Frechet, to_a_single_point_is_the_trace) {
  EXPECT_NEAR(distance({{1, 0}, {2, 1, 1, 3}}, {{0, 0}, {0, 0, 0, 0}}), 1 + 5, 1e-12);
  EXPECT_EQ(distance({{0, 0}, {0, 0, 0, 0}}, {{0, 0}, {0, 0, 0, 0}}), 0);
}

TEST(Frechet, to_what_is_not_finite_is_not_a_number) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(distance({{0}, {1}}, {{nan}, {1}})));
  EXPECT_TRUE(std::isnan(distance({{0}, {1}}, {{0}, {infinity}})));
}

}  // namespace
}  // namespace lipizz::metrics::frechet_test
