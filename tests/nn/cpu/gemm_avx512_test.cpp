#include "nn/cpu/gemm_avx512.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "nn/support.hpp"

namespace lipizz::nn {
namespace {

bool has_avx512() {
  return detect_numerics_level() == NumericsLevel::kAvx512;
}

struct Case {
  GemmShape shape;
  bool b_is_transposed;
  Buffer<float> a = testing::normals(std::size_t{shape.m} * shape.k, 1);
  Buffer<float> b = testing::normals(std::size_t{shape.k} * shape.n, 2);
  Buffer<float> bias = testing::normals(shape.n, 3);

  [[nodiscard]] Buffer<float> multiply(Activation activation) const {
    Buffer<float> scratch(kGemmScratch);
    Buffer<float> c(std::size_t{shape.m} * shape.n);
    gemm_avx512(shape, a.data(), {b.data(), b_is_transposed ? shape.k : shape.n, b_is_transposed},
                bias.data(), activation, c.data(), scratch.data());
    return c;
  }

  [[nodiscard]] double expected(std::uint32_t i, std::uint32_t j) const {
    double sum = bias[j];
    for (std::uint32_t k = 0; k < shape.k; ++k) {
      const float y =
          b_is_transposed ? b[std::size_t{j} * shape.k + k] : b[std::size_t{k} * shape.n + j];
      sum += double{a[std::size_t{i} * shape.k + k]} * y;
    }
    return sum;
  }
};

double activated(double x, Activation activation) {
  if (activation == Activation::kLeakyRelu) return x > 0 ? x : 0.2 * x;
  return activation == Activation::kRelu ? std::max(0.0, x) : x;
}

TEST(GemmAvx512, equals_the_sum_of_products_for_every_remainder) {
  if (!has_avx512()) GTEST_SKIP() << "this machine has no AVX-512";
  for (const std::uint32_t m : {1U, 13U, 14U, 15U, 100U}) {
    for (const std::uint32_t n : {1U, 15U, 16U, 17U, 32U, 33U, 49U}) {
      for (const std::uint32_t k : {1U, 15U, 64U, 271U, 273U, 784U}) {
        for (const bool transposed : {false, true}) {
          const Case test{{m, n, k}, transposed};
          for (const Activation how :
               {Activation::kNone, Activation::kRelu, Activation::kLeakyRelu}) {
            const Buffer<float> c = test.multiply(how);
            for (std::uint32_t i = 0; i < m; i += 7) {
              for (std::uint32_t j = 0; j < n; ++j) {
                ASSERT_NEAR(c[std::size_t{i} * n + j], activated(test.expected(i, j), how),
                            1e-6 * std::sqrt(k) * 8 + 1e-6)
                    << m << "x" << n << "x" << k << (transposed ? " transposed" : "");
              }
            }
          }
        }
      }
    }
  }
}

TEST(GemmAvx512, a_row_has_the_same_bits_wherever_it_stands) {
  if (!has_avx512()) GTEST_SKIP() << "this machine has no AVX-512";
  Case batch{{29, 40, 300}, false};
  const Buffer<float> all = batch.multiply(Activation::kNone);
  Case one = batch;
  one.shape.m = 1;
  for (std::uint32_t i = 0; i < 29; ++i) {
    std::copy_n(batch.a.begin() + i * 300, 300, one.a.begin());
    const Buffer<float> row = one.multiply(Activation::kNone);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), all.begin() + i * 40)) << i;
  }
}

}  // namespace
}  // namespace lipizz::nn
