#include "nn/cpu/rank_update.hpp"

#include <gtest/gtest.h>

#include "nn/cpu/levels.hpp"
#include "nn/support.hpp"

// Against sums one row after the other: the same bits.
namespace lipizz::nn::rank_update_test {
namespace {

struct Size {
  std::size_t n, n_x, n_y;
};

// Rows that are all taken together, and more; columns that leave a rest in registers.
constexpr Size kSizes[]{{1, 1, 16}, {63, 5, 32}, {65, 25, 48}, {300, 40, 64}, {700, 3, 112}};

TEST(RankUpdate, adds_row_after_row) {
  for (const NumericsLevel level : testing::levels()) {
    for (const Size& size : kSizes) {
      const Buffer<float> x = testing::normals(size.n * size.n_x, 1);
      const Buffer<float> y = testing::normals(size.n * size.n_y, 2);
      Buffer<float> expected = testing::normals(size.n_x * size.n_y, 3);
      Buffer<float> found = expected;
      for (std::size_t row = 0; row < size.n; ++row) {
        for (std::size_t i = 0; i < size.n_x; ++i) {
          for (std::size_t j = 0; j < size.n_y; ++j) {
            float& sum = expected[i * size.n_y + j];
            sum = testing::sum_of(level, sum, x[row * size.n_x + i], y[row * size.n_y + j]);
          }
        }
      }
      rank_update(level)(size.n, x.data(), size.n_x, y.data(), size.n_y, found.data());
      EXPECT_EQ(found, expected) << to_string(level) << ", " << size.n << " rows";
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::rank_update_test
