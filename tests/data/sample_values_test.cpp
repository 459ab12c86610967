#include "data/sample_values.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace lipizz::data::sample_values_test {
namespace {

TEST(SampleValues, pixels_lie_between_minus_one_and_one) {
  std::vector<std::uint8_t> pixels(256);
  std::iota(pixels.begin(), pixels.end(), 0);
  std::vector<float> values(pixels.size()), expected;
  for (const float pixel : pixels) expected.push_back((pixel / 255.0f - 0.5f) / 0.5f);
  to_values(SampleKind::kImage, std::as_bytes(std::span(pixels)), values);
  EXPECT_EQ(values, expected);
  EXPECT_EQ(values.front(), -1);
  EXPECT_EQ(values.back(), 1);
}

TEST(SampleValues, points_stay_as_they_are) {
  const std::vector<float> points{-1e30f, 3, 0.1f};
  std::vector<float> values(3);
  to_values(SampleKind::kPoint, std::as_bytes(std::span(points)), values);
  EXPECT_EQ(values, points);
}

}  // namespace
}  // namespace lipizz::data::sample_values_test
