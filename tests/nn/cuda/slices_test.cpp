#include "nn/cuda/slices.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lipizz::nn::cuda::slices_test {
namespace {

TEST(Slices, are_for_few_tiles_and_long_sums) {
  EXPECT_EQ(n_slices_of(dense_product(64, 64, 65536)), 128U);
  EXPECT_EQ(n_slices_of(dense_product(64, 64, 1 << 20)), 256U);
  EXPECT_EQ(n_slices_of(dense_product(1024, 512, 4096)), 4U);
  EXPECT_EQ(n_slices_of(dense_product(100, 256, 784)), 1U);
  EXPECT_EQ(n_slices_of(dense_product(65536, 64, 4096)), 1U);
}

TEST(Slices, are_of_equal_length_at_whole_reads) {
  EXPECT_EQ(n_slices_of(dense_product(8, 8, 3 * 1024)), 6U);
  EXPECT_EQ(n_slices_of(dense_product(8, 8, 2 * 1021)), 1U);
  EXPECT_EQ(n_slices_of(dense_product(8, 8, 2 * 1026)), 3U);
}

float one_of(const SlicedProduct& p, const Operands& o, std::uint32_t which, std::uint32_t slice,
             std::uint32_t row, std::uint32_t column) {
  const float* a = p.a.begin(o, which, slice);
  const float* b = p.b.begin(o, which, slice);
  float sum = 0;
  for (std::uint32_t k = 0; k < p.inner; ++k) {
    sum += a[p.transpose_a ? k * p.a.row + row : row * p.a.row + k] *
           b[p.transpose_b ? column * p.b.row + k : k * p.b.row + column];
  }
  return sum;
}

// Small whole numbers have exact sums in any order.
TEST(Slices, add_up_to_the_product) {
  constexpr std::uint32_t kRows = 3, kColumns = 5, kInner = 24, kN = 2;
  std::vector<float> a(kRows * kInner * kN), b(kInner * kColumns * kN);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  std::vector<float> partials(3 * kRows * kColumns * kN);
  Operands o;
  o.inputs[0] = a.data(), o.inputs[1] = b.data(), o.partials = partials.data();
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const MatrixProduct whole = dense_product(kRows, kColumns, kInner, ta, tb, kN);
      const SlicedProduct sliced = in_slices(whole, 3);
      EXPECT_EQ(sliced.inner, kInner / 3);
      for (std::uint32_t i = 0; i < kN * kRows * kColumns; ++i) {
        const std::uint32_t which = i / (kRows * kColumns);
        const std::uint32_t row = i / kColumns % kRows;
        float sum = 0;
        for (std::uint32_t slice = 0; slice < 3; ++slice) {
          const auto place = sliced.y.begin(o, which, slice) - partials.data();
          EXPECT_EQ(place, (slice * kN + which) * kRows * kColumns);
          sum += one_of(sliced, o, which, slice, row, i % kColumns);
        }
        EXPECT_EQ(sum, one_of({whole, 1}, o, which, 0, row, i % kColumns));
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::cuda::slices_test
