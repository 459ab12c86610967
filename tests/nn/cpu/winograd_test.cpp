#include "nn/cpu/winograd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "nn/cpu/numbers.hpp"

namespace lipizz::nn::winograd_test {
namespace {

using testing::numbers;

// Expects of one of the transforms into points, matrices of so many rows and columns, that those in
// bf16 are the others, rounded, and that nothing is written between rows and matrices.
template <class Write>
void expect_rounded(std::size_t n_points, std::size_t rows, std::size_t columns,
                    const Write& write) {
  const std::size_t pitch = columns + 3;
  const std::size_t apart = rows * pitch + 5;
  const std::size_t n = n_points * apart;
  constexpr float kUntouched = 7;
  std::vector<float> exact(n, kUntouched);
  std::vector<Bf16> expected(n), found(n);
  round_to_bf16(exact.data(), found.data(), n);
  write(Winograd::Points<float>{exact.data(), apart, pitch});
  write(Winograd::Points<Bf16>{found.data(), apart, pitch});
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t in_matrix = i % apart;
    if (in_matrix >= rows * pitch || in_matrix % pitch >= columns) {
      EXPECT_EQ(exact[i], kUntouched) << i;
    }
  }
  round_to_bf16(exact.data(), expected.data(), n);
  EXPECT_EQ(found, expected);
}

void expect_rounded(const ConvolutionShape& shape, std::size_t edge) {
  const std::size_t n_images = shape.x[0];
  const Winograd winograd(shape, edge);
  const std::vector<float> x = numbers(n_elements(shape.x));
  const std::vector<float> y = numbers(n_elements(shape.y));
  const std::size_t kernel = shape.window.kernel;
  const std::vector<float> w = numbers(kernel * kernel * shape.x[3] * shape.y[3]);
  const std::size_t n_points = winograd.n_points();
  const std::size_t n_rows = n_images * winograd.n_tiles();
  expect_rounded(n_points, n_rows, winograd.depth(),
                 [&](auto p) { winograd.points_of_images(x.data(), n_images, p); });
  expect_rounded(n_points, n_rows, winograd.n_outputs(),
                 [&](auto p) { winograd.points_of_positions(y.data(), n_images, p); });
  expect_rounded(n_points, winograd.depth(), winograd.n_outputs(),
                 [&](auto p) { winograd.points_of_weights(w.data(), 0, winograd.depth(), p); });
}

// Channels that fill vectors and that do not, and more than are rounded at a time by whatever way;
// images that end within a tile.
TEST(Winograd, rounds_points_of_bf16) {
  for (const std::uint32_t channels : {3U, 32U, 530U}) {
    for (const std::size_t edge : {2U, 4U}) {
      expect_rounded({{2, 7, 9, channels}, {2, 7, 9, 5}, {.kernel = 3, .stride = 1, .padding = 1}},
                     edge);
      expect_rounded(
          {{2, 8, 12, channels}, {2, 4, 6, 20}, {.kernel = 4, .stride = 2, .padding = 1}}, edge);
    }
  }
}

// Rows of weights that begin and end amid a phase, or go over several, with gaps and without.
TEST(Winograd, points_of_some_weights_are_those_of_all) {
  const ConvolutionShape shape{
      {2, 8, 12, 6}, {2, 4, 6, 20}, {.kernel = 4, .stride = 2, .padding = 1}};
  const Winograd winograd(shape, 4);
  const std::vector<float> w = numbers(4 * 4 * 6 * 20);
  for (const std::size_t pitch : {20U, 36U}) {
    const auto points_of_rows = [&](std::size_t first, std::size_t n) {
      std::vector<float> points(winograd.n_points() * n * pitch);
      winograd.points_of_weights(w.data(), first, n,
                                 Winograd::Points<float>{points.data(), n * pitch, pitch});
      return points;
    };
    const std::size_t depth = winograd.depth();
    const std::vector<float> all = points_of_rows(0, depth);
    for (const auto& [first, n] : {std::pair(0U, 5U), std::pair(4U, 15U), std::pair(22U, 2U)}) {
      const std::vector<float> some = points_of_rows(first, n);
      for (std::size_t p = 0; p < winograd.n_points(); ++p) {
        const auto expected =
            all.begin() + static_cast<std::ptrdiff_t>((p * depth + first) * pitch);
        const auto found = some.begin() + static_cast<std::ptrdiff_t>(p * n * pitch);
        EXPECT_TRUE(std::equal(found, found + static_cast<std::ptrdiff_t>(n * pitch), expected))
            << "point " << p << " of " << n << " rows from " << first;
      }
    }
  }
}

// Matrices that have gaps are read as those that have none.
TEST(Winograd, reads_points_between_gaps) {
  const ConvolutionShape shape{
      {2, 8, 12, 6}, {2, 4, 6, 20}, {.kernel = 4, .stride = 2, .padding = 1}};
  Winograd winograd(shape, 4);
  const auto expect_same = [&](std::size_t rows, std::size_t columns, std::size_t n_results,
                               const auto& read) {
    const std::size_t n = winograd.n_points() * rows * columns;
    const std::vector<float> dense = numbers(n);
    const std::size_t pitch = columns + 16;
    const std::size_t apart = rows * pitch + 32;
    std::vector<float> spread(winograd.n_points() * apart, std::nanf(""));
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = i / columns;
      spread[row / rows * apart + row % rows * pitch + i % columns] = dense[i];
    }
    std::vector<float> expected(n_results), found(n_results);
    read(Winograd::Points<const float>{dense.data(), rows * columns, columns}, expected.data());
    read(Winograd::Points<const float>{spread.data(), apart, pitch}, found.data());
    EXPECT_EQ(found, expected);
  };
  const std::size_t n_rows = 2 * winograd.n_tiles();
  expect_same(n_rows, winograd.depth(), n_elements(shape.x),
              [&](auto points, float* x) { winograd.images_of_points(points, 2, x); });
  expect_same(n_rows, winograd.n_outputs(), n_elements(shape.y),
              [&](auto points, float* y) { winograd.positions_of_points(points, 2, y); });
  expect_same(winograd.depth(), winograd.n_outputs(), 4 * 4 * 6 * 20,
              [&](auto points, float* w) { winograd.weights_of_points(points, w); });
}

}  // namespace
}  // namespace lipizz::nn::winograd_test
