#include "data/sample_values.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lipizz::data::sample_values_test {
namespace {

TEST(SampleValues, pixels_lie_between_minus_one_and_one) {
  const std::vector<std::uint8_t> pixels{0, 51, 255};
  std::vector<float> values(3);
  to_values(SampleKind::kImage, std::as_bytes(std::span(pixels)), values);
  EXPECT_EQ(values, (std::vector<float>{-1, (51 / 255.0f - 0.5f) / 0.5f, 1}));
}

TEST(SampleValues, points_stay_as_they_are) {
  const std::vector<float> points{-1e30f, 3, 0.1f};
  std::vector<float> values(3);
  to_values(SampleKind::kPoint, std::as_bytes(std::span(points)), values);
  EXPECT_EQ(values, points);
}

}  // namespace
}  // namespace lipizz::data::sample_values_test
