#include "nn/cpu/direct_loops.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nn/cpu/levels.hpp"
#include "nn/support.hpp"

// One group of one image, against sums one after the other: the same bits.
namespace lipizz::nn::direct_loops_test {
namespace {

constexpr std::size_t kStride = 20;  // of y, more than the outputs

// Lines with and without a rest, more of them than stay in the first cache, and single positions.
const std::vector<DirectShape> kShapes{{1, 1, 1, 16},   {3, 13, 3, 16}, {2, 5, 2, 32},
                                       {40, 31, 3, 16}, {24, 24, 5, 1}, {3, 7, 3, 3}};

struct Operands {
  explicit Operands(const DirectShape& shape)
      : x(testing::normals((shape.height + shape.kernel - 1) * shape.line_size(), 1)),
        weights(testing::normals(n_weights(shape), 2)),
        dy(testing::normals(shape.height * shape.width * kDirectOutputs, 3)) {}

  static std::size_t n_weights(const DirectShape& shape) {
    return shape.kernel * shape.n_line_taps() * kDirectOutputs;
  }

  Buffer<float> x, weights, dy;
};

// Calls with every position, every element of its window in order, and both places.
template <class Each>
void for_each_tap(const DirectShape& shape, const Each& each) {
  for (std::size_t h = 0; h < shape.height; ++h) {
    for (std::size_t w = 0; w < shape.width; ++w) {
      for (std::size_t line = 0; line < shape.kernel; ++line) {
        for (std::size_t tap = 0; tap < shape.n_line_taps(); ++tap) {
          each(h * shape.width + w, line * shape.n_line_taps() + tap,
               (h + line) * shape.line_size() + w * shape.channels + tap);
        }
      }
    }
  }
}

TEST(DirectLoops, convolve_in_the_order_of_the_weights) {
  for (const NumericsLevel level : testing::levels()) {
    for (const DirectShape& shape : kShapes) {
      const Operands in(shape);
      std::vector<float> expected(shape.height * shape.width * kStride, 0.0f);
      for_each_tap(shape, [&](std::size_t position, std::size_t row, std::size_t pixel) {
        for (std::size_t o = 0; o < kDirectOutputs; ++o) {
          float& sum = expected[position * kStride + o];
          sum = testing::sum_of(level, sum, in.x[pixel], in.weights[row * kDirectOutputs + o]);
        }
      });
      std::vector<float> found(expected.size(), 0.0f);
      direct_loops(level).convolve(shape, in.x.data(), in.weights.data(), found.data(), kStride);
      EXPECT_EQ(found, expected) << to_string(level);
    }
  }
}

TEST(DirectLoops, add_up_gradients_position_after_position) {
  for (const NumericsLevel level : testing::levels()) {
    for (const DirectShape& shape : kShapes) {
      const Operands in(shape);
      Buffer<float> expected = in.weights;
      for_each_tap(shape, [&](std::size_t position, std::size_t row, std::size_t pixel) {
        for (std::size_t o = 0; o < kDirectOutputs; ++o) {
          float& sum = expected[row * kDirectOutputs + o];
          sum = testing::sum_of(level, sum, in.x[pixel], in.dy[position * kDirectOutputs + o]);
        }
      });
      Buffer<float> found = in.weights;
      direct_loops(level).add_weight_gradient(shape, in.x.data(), in.dy.data(), found.data());
      EXPECT_EQ(found, expected) << to_string(level);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::direct_loops_test
