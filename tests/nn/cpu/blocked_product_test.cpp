#include "nn/cpu/blocked_product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/base/half.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/numbers.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::blocked_product_test {
namespace {

using testing::numbers;

class BlockedProductTest : public ::testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    const NumericsLevel level = detect_numerics_level(GetParam());
    if (!has_steps(level, GetParam())) GTEST_SKIP() << "no such products here";
  }

  // Expects what is defined.
  static void expect_defined(const ProductSpec& spec);
};

// The factors of products of that precision.
void round_factors(std::vector<float>& x, Precision precision) {
  if (precision != Precision::kBf16) return;
  for (float& each : x) each = rounded_to<Half::kBf16>(each);
}

// From one row to the next.
std::size_t pitch(std::size_t n, const ProductSpec& s) {
  return n + s.gap;
}

struct Operands {
  explicit Operands(const ProductSpec& s)
      : a(numbers(matrix_size(s.rows, s.terms, s.transpose_a, s), 0.7f)),
        b(numbers(matrix_size(s.terms, s.columns, s.transpose_b, s), 0.9f)),
        bias(numbers(s.columns, 1.3f)),
        c(numbers(matrix_size(s.rows, s.columns, false, s), 1.7f)) {}

  std::vector<float> a, b, bias, c;

 private:
  static std::size_t matrix_size(std::size_t rows, std::size_t columns, bool is_transposed,
                                 const ProductSpec& s) {
    return is_transposed ? columns * pitch(rows, s) : rows * pitch(columns, s);
  }
};

// Adds up some terms of a result; a product of two numbers in bf16 is exact in single precision.
template <class A, class B>
float added_up(std::size_t begin, std::size_t end, Precision precision, const A& a, const B& b) {
  float sum = 0;
  if (precision != Precision::kBf16) {
    for (std::size_t k = begin; k < end; ++k) sum = std::fma(a(k), b(k), sum);
    return sum;
  }
  const auto product = [&](std::size_t k) { return k < end ? a(k) * b(k) : 0.0f; };
  for (std::size_t k = begin; k < end; k += 2) sum = (sum + product(k + 1)) + product(k);
  return sum;
}

// Calls with the first and the last term of each part.
template <class Call>
void for_each_part(std::size_t n_terms, Precision precision, const Call& call) {
  const std::size_t size = precision == Precision::kBf16 ? 2 : 1;  // of a step
  const std::size_t n_steps = (n_terms + size - 1) / size;
  const std::size_t n_parts =
      (n_steps + BlockedProduct::kMostSteps - 1) / BlockedProduct::kMostSteps;
  for (std::size_t i = 0; i < n_parts; ++i) {
    call(size * (i * n_steps / n_parts), std::min(size * ((i + 1) * n_steps / n_parts), n_terms));
  }
}

// As the products are defined.
std::vector<float> defined(const ProductSpec& s, Precision precision) {
  Operands o(s);
  round_factors(o.a, precision);
  round_factors(o.b, precision);
  for (std::size_t i = 0; i < s.rows; ++i) {
    for (std::size_t j = 0; j < s.columns; ++j) {
      const auto a = [&](std::size_t k) {
        return o.a[s.transpose_a ? k * pitch(s.rows, s) + i : i * pitch(s.terms, s) + k];
      };
      const auto b = [&](std::size_t k) {
        return o.b[s.transpose_b ? j * pitch(s.terms, s) + k : k * pitch(s.columns, s) + j];
      };
      float& c = o.c[i * pitch(s.columns, s) + j];
      if (!s.adds) c = s.has_bias ? o.bias[j] : 0.0f;
      for_each_part(s.terms, precision, [&](std::size_t begin, std::size_t end) {
        c += added_up(begin, end, precision, a, b);
      });
    }
  }
  activation(s.activation, o.c.data(), o.c.data(), s.gap == 0 ? o.c.size() : 0);
  return o.c;
}

constexpr float kUntouched = 4.5f;

// Numbers in bf16 in the place of floats.
std::vector<float> in_bf16(const std::vector<float>& x) {
  std::vector<float> place(n_floats_of_bf16(x.size()));
  round_to_bf16(x.data(), reinterpret_cast<Bf16*>(place.data()), x.size());
  return place;
}

// The second factor packed by a few rows at a time.
std::vector<float> packed_in_parts(const ProductSpec& s, const BlockedProduct& product,
                                   const std::vector<float>& b, std::size_t n_packed,
                                   bool past_caches) {
  constexpr std::size_t kRows = 3 * kVectorLanes;
  const auto [n_rows, row_size] =
      s.transpose_b ? std::pair(s.columns, s.terms) : std::pair(s.terms, s.columns);
  Buffer<float> packed(n_packed);
  std::ranges::fill(packed, kUntouched);
  for (std::size_t first = 0; first < n_rows; first += kRows) {
    // Rows of an odd number in bf16 begin amid a float.
    std::vector<float> rows(b.size());
    const std::size_t skipped = first * row_size * (s.is_b_rounded ? sizeof(Bf16) : sizeof(float));
    std::memcpy(rows.data(), reinterpret_cast<const char*>(b.data()) + skipped,
                b.size() * sizeof(float) - skipped);
    product.pack_b(rows.data(), first, std::min(kRows, n_rows - first), packed.data(), past_caches);
  }
  return {packed.begin(), packed.end()};
}

std::vector<float> computed(const ProductSpec& s, Precision precision) {
  Operands o(s);
  if (s.is_a_rounded) o.a = in_bf16(o.a);
  if (s.is_b_rounded) o.b = in_bf16(o.b);
  const BlockedProduct product(s, precision);
  // No more than it asks for is written.
  std::vector<float> workspace(product.n_workspace() + 16, kUntouched);
  EXPECT_LE(product.n_workspace(), BlockedProduct::kMostWorkspace);
  if (s.is_b_packed) {
    const std::size_t n = BlockedProduct::n_packed_b(s.terms, s.columns);
    std::vector<float> packed(2 * n, kUntouched);
    const std::size_t n_rows = s.transpose_b ? s.columns : s.terms;
    product.pack_b(o.b.data(), 0, n_rows, packed.data());
    EXPECT_EQ(std::count(packed.end() - n, packed.end(), kUntouched), n);
    for (const bool past_caches : {false, true}) {
      EXPECT_EQ(packed_in_parts(s, product, o.b, packed.size(), past_caches), packed);
    }
    o.b = packed;
  }
  product.run(o.a.data(), o.b.data(), s.has_bias ? o.bias.data() : nullptr, o.c.data(),
              workspace.data());
  EXPECT_EQ(std::vector(workspace.end() - 16, workspace.end()), std::vector(16, kUntouched));
  return o.c;
}

void BlockedProductTest::expect_defined(const ProductSpec& spec) {
  EXPECT_EQ(computed(spec, GetParam()), defined(spec, GetParam()))
      << spec.rows << " x " << spec.columns << " x " << spec.terms << ", transposed "
      << spec.transpose_a << " " << spec.transpose_b;
}

// Calls with each of the ways in which factors lie in memory.
template <class Check>
void for_each_layout(const Check& check) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) check(transpose_a, transpose_b);
  }
}

// Rows and columns that fill tiles and that do not; terms of one block and of several, even and
// odd; rows of several blocks, for which the second factor is packed once.
TEST_P(BlockedProductTest, adds_up_in_the_order_that_is_defined) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {1U, 9U, 24U, 300U}) {
      for (const std::size_t columns : {1U, 16U, 49U, 70U}) {
        for (const std::size_t terms : {1U, 6U, 101U, 517U}) {
          expect_defined({rows, columns, terms, transpose_a, transpose_b});
        }
      }
    }
  });
}

TEST_P(BlockedProductTest, many_columns_are_packed_in_blocks) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {3U, 257U}) {
      expect_defined({rows, 790, 9, transpose_a, transpose_b, true});
    }
  });
}

TEST_P(BlockedProductTest, begins_with_its_bias_or_with_what_is_there) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {10U, 16U}) {
      for (const std::size_t terms : {30U, 600U}) {
        ProductSpec spec{rows, 32, terms, transpose_a, transpose_b};
        spec.has_bias = true;
        expect_defined(spec);
        spec.has_bias = false;
        spec.adds = true;
        expect_defined(spec);
      }
    }
  });
}

TEST_P(BlockedProductTest, ends_with_its_activation) {
  for (const ActivationEntry& each : activations()) {
    for (const std::size_t terms : {30U, 600U}) {
      for (const std::size_t columns : {20U, 32U}) {
        expect_defined({.rows = 16,
                        .columns = columns,
                        .terms = terms,
                        .transpose_b = columns == 32,
                        .has_bias = columns == 20,
                        .activation = each.activation});
      }
    }
  }
}

constexpr auto kNameOfPrecision = [](const auto& each) {
  return std::string(to_string(each.param));
};

INSTANTIATE_TEST_SUITE_P(Precisions, BlockedProductTest,
                         ::testing::Values(Precision::kF32, Precision::kBf16), kNameOfPrecision);

class SinglePrecisionProduct : public BlockedProductTest {};

// The second factor is read where it lies, or the product is computed transposed.
TEST_P(SinglePrecisionProduct, has_few_rows_of_many_terms) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {16U, 100U, 208U}) {
      for (const std::size_t columns : {250U, 304U}) {
        expect_defined({rows, columns, 300, transpose_a, transpose_b});
      }
    }
  });
}

TEST_P(SinglePrecisionProduct, leaves_gaps_between_rows_as_they_are) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (ProductSpec spec : {ProductSpec{16, 560, 600, transpose_a, transpose_b},
                             {9, 70, 101, transpose_a, transpose_b},
                             {300, 64, 48, transpose_a, transpose_b}}) {
      spec.gap = 16;
      expect_defined(spec);
      spec.adds = true;
      expect_defined(spec);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Precisions, SinglePrecisionProduct, ::testing::Values(Precision::kF32),
                         kNameOfPrecision);

class ProductOfPairs : public BlockedProductTest {};

TEST_P(ProductOfPairs, a_factor_is_packed_before_for_several_runs) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (ProductSpec spec : {ProductSpec{3, 790, 521, transpose_a, transpose_b},
                             {257, 49, 521, transpose_a, transpose_b},
                             {257, 790, 9, transpose_a, transpose_b}}) {
      spec.has_bias = true;
      spec.is_b_packed = true;
      expect_defined(spec);
    }
  });
}

// Rows of an even number of terms are read where they are; odd ones are packed.
TEST_P(ProductOfPairs, factors_may_be_in_bf16_already) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const bool is_b_packed : {false, true}) {
      for (ProductSpec spec : {ProductSpec{9, 70, 101, transpose_a, transpose_b},
                               {9, 70, 518, transpose_a, transpose_b},
                               {130, 17, 518, transpose_a, transpose_b}}) {
        spec.is_b_packed = is_b_packed;
        spec.is_a_rounded = true;
        expect_defined(spec);
        spec.is_b_rounded = true;
        expect_defined(spec);
        spec.adds = true;
        expect_defined(spec);
        spec.is_a_rounded = false;
        expect_defined(spec);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Precisions, ProductOfPairs, ::testing::Values(Precision::kBf16),
                         kNameOfPrecision);

TEST(BlockedProductWorkspace, is_the_most_for_whole_blocks_of_pairs) {
  const auto floats = [](const ProductSpec& spec, Precision precision) {
    return BlockedProduct(spec, precision).n_workspace();
  };
  EXPECT_EQ(floats({256, 768, 2 * 512}, Precision::kBf16), BlockedProduct::kMostWorkspace);
  EXPECT_LT(floats({128, 768, 2 * 512}, Precision::kBf16), BlockedProduct::kMostWorkspace);
  EXPECT_LT(floats({256, 768, 512}, Precision::kF32), BlockedProduct::kMostWorkspace);
  EXPECT_LE(floats({.rows = 208,
                    .columns = 2560,
                    .terms = 2560,
                    .transpose_b = true,
                    .gap = ProductSpec::kMostGap},
                   Precision::kF32),
            BlockedProduct::kMostWorkspace);
}

TEST(BlockedProductWorkspace, holds_a_factor_that_cannot_be_packed_before) {
  ProductSpec spec{256, 784, 512};
  const std::size_t n = BlockedProduct(spec, Precision::kF32).n_workspace();
  spec.is_b_packed = true;
  const BlockedProduct product(spec, Precision::kF32);
  EXPECT_FALSE(product.is_b_packed());
  EXPECT_EQ(product.n_workspace(), n);
}

TEST(BlockedProductWorkspace, is_none_where_all_is_read_where_it_lies) {
  EXPECT_EQ(BlockedProduct({100, 256, 784}, Precision::kF32).n_workspace(), 0U);
  EXPECT_GT(BlockedProduct({100, 250, 784}, Precision::kF32).n_workspace(), 0U);
}

}  // namespace
}  // namespace lipizz::nn::blocked_product_test
