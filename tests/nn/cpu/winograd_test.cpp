#include "nn/cpu/winograd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lipizz::nn::winograd_test {
namespace {

std::vector<float> numbers(std::size_t n) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = std::sin(static_cast<float>(i));
  return all;
}

// Expects of one of the transforms into points that those in bf16 are the others, rounded.
template <class Write>
void expect_rounded(std::size_t n_points, std::size_t n_numbers, const Write& write) {
  const std::size_t apart = n_numbers + 5;  // nothing is written between matrices
  const std::size_t n = n_points * apart;
  std::vector<float> exact(n);
  std::vector<Bf16> found(n), expected(n);
  write(Winograd::Points<float>{exact.data(), apart});
  write(Winograd::Points<Bf16>{found.data(), apart});
  for (std::size_t i = 0; i < n; ++i) {
    if (i % apart >= n_numbers) {
      EXPECT_EQ(exact[i], 0) << i;
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
  expect_rounded(n_points, n_rows * winograd.depth(),
                 [&](auto p) { winograd.points_of_images(x.data(), n_images, p); });
  expect_rounded(n_points, n_rows * winograd.n_outputs(),
                 [&](auto p) { winograd.points_of_positions(y.data(), n_images, p); });
  expect_rounded(n_points, winograd.depth() * winograd.n_outputs(),
                 [&](auto p) { winograd.points_of_weights(w.data(), p); });
}

// Channels that fill vectors and that do not, and more than are rounded at a time; images that end
// within a tile.
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

}  // namespace
}  // namespace lipizz::nn::winograd_test
