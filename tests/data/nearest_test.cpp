#include "data/nearest.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/support.hpp"

namespace lipizz::data::nearest_test {
namespace {

using ::testing::DoubleNear;

// All distances from all training samples, sorted: what the search leaves out it must not need.
std::vector<Neighbour> by_sorting(const Dataset& dataset, std::span<const float> all,
                                  std::span<const float> sample, double scale,
                                  std::uint32_t n_skipped) {
  const std::size_t size = dataset.shape().size();
  std::vector<Neighbour> found;
  for (std::uint32_t index = 0; index < dataset.n_train(); ++index) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (i % dataset.shape().channels < n_skipped) continue;
      const double difference = scale * (double{sample[i]} - double{all[index * size + i]});
      sum += difference * difference;
    }
    found.push_back({index, std::sqrt(sum)});
  }
  std::ranges::stable_sort(found, {}, &Neighbour::distance);
  return found;
}

void expect_as_by_sorting(const Dataset& dataset, std::span<const float> samples, double scale,
                          double tolerance, std::uint32_t n_skipped = 0) {
  constexpr std::uint32_t kNearest = 4;
  const std::size_t size = dataset.shape().size();
  const auto found = nearest_training_samples(dataset, samples, kNearest);
  const std::vector<float> all = read_train(dataset, dataset.n_train());
  ASSERT_EQ(found.size(), samples.size() / size * kNearest);
  for (std::size_t i = 0; i < samples.size() / size; ++i) {
    const auto expected =
        by_sorting(dataset, all, samples.subspan(i * size, size), scale, n_skipped);
    for (std::uint32_t k = 0; k < kNearest; ++k) {
      EXPECT_EQ(found[i * kNearest + k].index, expected[k].index);
      EXPECT_THAT(found[i * kNearest + k].distance, DoubleNear(expected[k].distance, tolerance));
    }
  }
}

TEST(Nearest, finds_what_sorting_finds_among_images_and_of_one_of_them_itself) {
  const auto dataset = open_dataset("glyphs", {.data_dir = "", .max_samples = 1500});
  ASSERT_GT(std::size_t{dataset->n_train()} * dataset->shape().size(), 1U << 20) << "two pieces";
  expect_as_by_sorting(*dataset, read_test(*dataset, 5), 127.5, 1e-2);
  const auto found = nearest_training_samples(*dataset, read_train(*dataset, 50), 1);
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_EQ(found[i], (Neighbour{i, 0}));
}

TEST(Nearest, finds_what_sorting_finds_among_points) {
  const auto dataset = open_dataset("ring8", {.data_dir = "", .max_samples = 300});
  expect_as_by_sorting(*dataset, read_test(*dataset, 5), 1, 1e-12);
}

TEST(Nearest, of_pairs_compares_what_is_made_alone) {
  const auto dataset = open_dataset("glyph-edges", {.data_dir = "", .max_samples = 200});
  ASSERT_GT(dataset->n_condition_channels(), 0U);
  expect_as_by_sorting(*dataset, read_test(*dataset, 3), 127.5, 1e-2,
                       dataset->n_condition_channels());
}

TEST(Nearest, of_what_is_not_finite_is_infinitely_far) {
  const auto dataset = open_dataset("ring8", {.data_dir = "", .max_samples = 10});
  const std::vector<float> sample{std::numeric_limits<float>::quiet_NaN(), 0};
  const auto found = nearest_training_samples(*dataset, sample, 2);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(found, (std::vector<Neighbour>{{0, kInfinity}, {1, kInfinity}}));
}

}  // namespace
}  // namespace lipizz::data::nearest_test
