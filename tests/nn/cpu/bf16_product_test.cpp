#include "nn/cpu/bf16_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nn/base/half.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/numbers.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::bf16_product_test {
namespace {

using testing::numbers;

class Bf16ProductTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16(detect_numerics_level(Precision::kBf16))) GTEST_SKIP() << "no bf16 here";
  }
};

float rounded(float x) {
  return rounded_to<Half::kBf16>(x);
}

struct Operands {
  explicit Operands(const ProductSpec& s)
      : a(numbers(s.rows * s.terms, 0.7f)),
        b(numbers(s.terms * s.columns, 0.9f)),
        bias(numbers(s.columns, 1.3f)),
        c(numbers(s.rows * s.columns, 1.7f)) {}

  std::vector<float> a, b, bias, c;
};

// As the instruction adds up: a product of two numbers in bf16 is exact in single precision.
std::vector<float> defined(const ProductSpec& s) {
  Operands o(s);
  for (std::size_t i = 0; i < s.rows; ++i) {
    for (std::size_t j = 0; j < s.columns; ++j) {
      const auto product = [&](std::size_t k) {
        if (k >= s.terms) return 0.0f;
        return rounded(o.a[s.transpose_a ? k * s.rows + i : i * s.terms + k]) *
               rounded(o.b[s.transpose_b ? j * s.terms + k : k * s.columns + j]);
      };
      float& sum = o.c[i * s.columns + j];
      if (!s.adds) sum = s.has_bias ? o.bias[j] : 0;
      for (std::size_t k = 0; k < s.terms; k += 2) sum = (sum + product(k + 1)) + product(k);
    }
  }
  activation(s.activation, o.c.data(), o.c.data(), o.c.size());
  return o.c;
}

// Numbers in bf16 in the place of floats.
std::vector<float> in_bf16(const std::vector<float>& x) {
  std::vector<float> place(n_floats_of_bf16(x.size()));
  round_to_bf16(x.data(), reinterpret_cast<Bf16*>(place.data()), x.size());
  return place;
}

std::vector<float> computed(const ProductSpec& s) {
  Operands o(s);
  if (s.is_a_rounded) o.a = in_bf16(o.a);
  if (s.is_b_rounded) o.b = in_bf16(o.b);
  const Bf16Product product(s);
  std::vector<float> workspace(product.n_workspace());
  EXPECT_LE(workspace.size(), Bf16Product::kMostWorkspace);
  if (s.is_b_packed) {
    std::vector<float> packed(Bf16Product::n_packed_b(s.terms, s.columns));
    product.pack_b(o.b.data(), packed.data());
    o.b = packed;
  }
  product.run(o.a.data(), o.b.data(), s.has_bias ? o.bias.data() : nullptr, o.c.data(),
              workspace.data());
  return o.c;
}

void expect_defined(const ProductSpec& s) {
  EXPECT_EQ(computed(s), defined(s)) << s.rows << " x " << s.columns << " x " << s.terms;
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
TEST_F(Bf16ProductTest, adds_up_as_the_instruction_is_defined) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {1U, 9U, 24U, 300U}) {
      for (const std::size_t columns : {1U, 16U, 49U, 70U}) {
        for (const std::size_t terms : {1U, 6U, 101U, 417U}) {
          expect_defined({rows, columns, terms, transpose_a, transpose_b});
        }
      }
    }
  });
}

TEST_F(Bf16ProductTest, many_columns_are_packed_in_blocks) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const std::size_t rows : {3U, 257U}) {
      expect_defined({rows, 790, 9, transpose_a, transpose_b, true});
    }
  });
}

TEST_F(Bf16ProductTest, a_factor_is_packed_before_for_several_runs) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (ProductSpec spec : {ProductSpec{3, 790, 421}, {257, 49, 421}, {257, 790, 9}}) {
      spec.transpose_a = transpose_a;
      spec.transpose_b = transpose_b;
      spec.has_bias = true;
      spec.is_b_packed = true;
      expect_defined(spec);
    }
  });
}

// Rows of an even number of terms are read where they are; odd ones are packed.
TEST_F(Bf16ProductTest, factors_may_be_in_bf16_already) {
  for_each_layout([](bool transpose_a, bool transpose_b) {
    for (const bool is_b_packed : {false, true}) {
      for (ProductSpec spec : {ProductSpec{9, 70, 101}, {9, 70, 418}, {130, 17, 418}}) {
        spec.transpose_a = transpose_a;
        spec.transpose_b = transpose_b;
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

TEST(Bf16Workspace, is_the_most_for_whole_blocks) {
  EXPECT_EQ(Bf16Product({256, 2 * 784, 2 * 416}).n_workspace(), Bf16Product::kMostWorkspace);
  EXPECT_LT(Bf16Product({128, 2 * 784, 2 * 416}).n_workspace(), Bf16Product::kMostWorkspace);
}

TEST_F(Bf16ProductTest, begins_with_its_bias_or_with_what_is_there) {
  for (const std::size_t terms : {30U, 500U}) {
    expect_defined({.rows = 10, .columns = 20, .terms = terms, .has_bias = true});
    expect_defined({.rows = 10, .columns = 20, .terms = terms, .adds = true});
  }
}

TEST_F(Bf16ProductTest, ends_with_its_activation) {
  for (const ActivationEntry& each : activations()) {
    for (const std::size_t terms : {30U, 500U}) {
      expect_defined({.rows = 10,
                      .columns = 20,
                      .terms = terms,
                      .has_bias = true,
                      .activation = each.activation});
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::bf16_product_test
