#include "nn/cpu/winograd_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "nn/cpu/levels.hpp"
#include "nn/cpu/winograd_lines.hpp"
#include "nn/support.hpp"

// One group of some images, against one tile after the other: the same bits.
namespace lipizz::nn::winograd_loops_test {
namespace {

using Square = Line<Line<float, 4>, 4>;

// Images of several rows of tiles, with rests, of which the group is a part; windows that hang over
// no edge, over one line, and over two.
const std::vector<WinogradTiles> kTiles{
    {1, {4, 4, 16}, {2, 2, 16}, 0, 16},
    {2, {9, 13, 48}, {9, 13, 20}, 1, 32},
    {3, {12, 11, 16}, {14, 13, 16}, 2, 16},
    {5, {4, 4, 32}, {4, 4, 32}, 1, 16},
};

struct Operands {
  explicit Operands(const WinogradTiles& t)
      : x(testing::normals(size_of(t, t.x), 1)),
        weights(testing::normals(kWinogradPoints * t.group_inputs * kDirectOutputs, 2)),
        y(testing::normals(size_of(t, t.y), 3)),
        workspace(kMostWinogradTiles * kWinogradPoints * (t.group_inputs + kDirectOutputs)) {}

  static std::size_t size_of(const WinogradTiles& t, const WinogradTiles::Images& images) {
    return t.n_images * images.height * images.width * images.channels;
  }

  Buffer<float> x, weights, y, workspace;
};

// The place of a pixel, or null outside.
template <class T>
T* pixel(const WinogradTiles::Images& images, T* from, std::size_t image, std::size_t h,
         std::size_t w) {
  if (h >= images.height || w >= images.width) return nullptr;
  return from + ((image * images.height + h) * images.width + w) * images.channels;
}

// Rows, then columns.
template <std::size_t from, class OfLine>
Square transformed(const Line<Line<float, from>, from>& in, const OfLine& of_line) {
  Line<Line<float, 4>, from> rows;
  for (std::size_t i = 0; i < from; ++i) rows[i] = of_line(in[i]);
  Square out;
  for (std::size_t j = 0; j < 4; ++j) {
    Line<float, from> column;
    for (std::size_t i = 0; i < from; ++i) column[i] = rows[i][j];
    const Line<float, 4> points = of_line(column);
    for (std::size_t i = 0; i < 4; ++i) out[i][j] = points[i];
  }
  return out;
}

template <std::size_t edge, class OfLine>
Square points_of(const WinogradTiles::Images& images, const float* from, std::size_t image,
                 std::size_t top, std::size_t left, std::size_t channel, const OfLine& of_line) {
  Line<Line<float, edge>, edge> square{};
  for (std::size_t i = 0; i < edge; ++i) {
    for (std::size_t j = 0; j < edge; ++j) {
      const float* found = pixel(images, from, image, top + i, left + j);
      if (found != nullptr) square[i][j] = found[channel];
    }
  }
  return transformed(square, of_line);
}

Square points_of_image(const WinogradTiles& t, const float* x, std::size_t image, std::size_t row,
                       std::size_t column, std::size_t channel) {
  return points_of<4>(t.x, x, image, 2 * row - t.padding, 2 * column - t.padding, channel,
                      [](const Line<float, 4>& d) { return MinimalFiltering<2, 3>::of_pixels(d); });
}

Square points_of_positions(const WinogradTiles& t, const float* y, std::size_t image,
                           std::size_t row, std::size_t column, std::size_t output) {
  return points_of<2>(t.y, y, image, 2 * row, 2 * column, output, [](const Line<float, 2>& d) {
    return MinimalFiltering<2, 3>::of_positions(d);
  });
}

template <class Each>
void for_each_tile(const WinogradTiles& t, const Each& each) {
  for (std::size_t image = 0; image < t.n_images; ++image) {
    for (std::size_t row = 0; row < t.down(); ++row) {
      for (std::size_t column = 0; column < t.across(); ++column) each(image, row, column);
    }
  }
}

float& weight(const WinogradTiles& t, Buffer<float>& weights, std::size_t p, std::size_t channel,
              std::size_t output) {
  return weights[(p * t.group_inputs + channel) * kDirectOutputs + output];
}

void convolve(const WinogradTiles& t, NumericsLevel level, Operands& in) {
  for_each_tile(t, [&](std::size_t image, std::size_t row, std::size_t column) {
    for (std::size_t o = 0; o < kDirectOutputs; ++o) {
      Square sums{};
      for (std::size_t c = 0; c < t.group_inputs; ++c) {
        const Square points = points_of_image(t, in.x.data(), image, row, column, c);
        for (std::size_t p = 0; p < kWinogradPoints; ++p) {
          float& sum = sums[p / 4][p % 4];
          sum = testing::sum_of(level, sum, points[p / 4][p % 4], weight(t, in.weights, p, c, o));
        }
      }
      Line<Line<float, 2>, 4> rows;
      for (std::size_t i = 0; i < 4; ++i) rows[i] = MinimalFiltering<2, 3>::to_positions(sums[i]);
      for (std::size_t j = 0; j < 2; ++j) {
        const Line<float, 2> found = MinimalFiltering<2, 3>::to_positions(
            Line<float, 4>{rows[0][j], rows[1][j], rows[2][j], rows[3][j]});
        for (std::size_t i = 0; i < 2; ++i) {
          float* y = pixel(t.y, in.y.data(), image, 2 * row + i, 2 * column + j);
          if (y != nullptr) y[o] = found[i];
        }
      }
    }
  });
}

void add_weight_gradient(const WinogradTiles& t, NumericsLevel level, Operands& in) {
  for_each_tile(t, [&](std::size_t image, std::size_t row, std::size_t column) {
    for (std::size_t o = 0; o < kDirectOutputs; ++o) {
      const Square dy = points_of_positions(t, in.y.data(), image, row, column, o);
      for (std::size_t c = 0; c < t.group_inputs; ++c) {
        const Square x = points_of_image(t, in.x.data(), image, row, column, c);
        for (std::size_t p = 0; p < kWinogradPoints; ++p) {
          float& sum = weight(t, in.weights, p, c, o);
          sum = testing::sum_of(level, sum, x[p / 4][p % 4], dy[p / 4][p % 4]);
        }
      }
    }
  });
}

// Calls with two ranges of tiles, of which the second begins in the middle of a row where that has
// several tiles, each with the one that follows.
template <class Y, class Call>
void for_ranges(const WinogradTiles& t, const float* x, Y* y, const Call& call) {
  const std::size_t n = t.n_images * t.down() * t.across();
  const std::size_t n_first = std::min(n, t.across() + 1);
  const TileRange<Y> first{0, n_first, x, y}, rest{n_first, n - n_first, x, y}, none{n, 0, x, y};
  call(first, rest);
  call(rest, none);
}

TEST(WinogradLoops, convolve_tile_after_tile) {
  for (const NumericsLevel level : testing::levels()) {
    for (const WinogradTiles& t : kTiles) {
      Operands expected(t);
      Operands found(t);
      convolve(t, level, expected);
      for_ranges(t, found.x.data(), found.y.data(), [&](const auto& range, const auto& next) {
        winograd_loops(level).convolve(t, range, next, found.weights.data(),
                                       found.workspace.data());
      });
      EXPECT_EQ(found.y, expected.y) << to_string(level) << ", " << t.n_images << " images";
    }
  }
}

TEST(WinogradLoops, add_up_gradients_tile_after_tile) {
  for (const NumericsLevel level : testing::levels()) {
    for (const WinogradTiles& t : kTiles) {
      Operands expected(t);
      Operands found(t);
      add_weight_gradient(t, level, expected);
      const float* dy = found.y.data();
      for_ranges(t, found.x.data(), dy, [&](const auto& range, const auto& next) {
        winograd_loops(level).add_weight_gradient(t, range, next, found.weights.data(),
                                                  found.workspace.data());
      });
      EXPECT_EQ(found.weights, expected.weights) << to_string(level);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::winograd_loops_test
