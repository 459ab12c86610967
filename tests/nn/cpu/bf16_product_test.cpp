#include "nn/cpu/bf16_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nn/base/half.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::bf16_product_test {
namespace {

class Bf16ProductTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16(detect_numerics_level(Precision::kBf16))) GTEST_SKIP() << "no bf16 here";
  }
};

std::vector<float> numbers(std::size_t n, float frequency) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = std::sin(frequency * static_cast<float>(i));
  return all;
}

float rounded(float x) {
  return rounded_to<Half::kBf16>(x);
}

// As the instruction adds up: a product of two numbers in bf16 is exact in single precision.
std::vector<float> defined(const Bf16Product::Sizes& s, Activation activation,
                           const std::vector<float>& a, const std::vector<float>& b,
                           const float* bias, std::vector<float> c) {
  for (std::size_t i = 0; i < s.rows; ++i) {
    for (std::size_t j = 0; j < s.columns; ++j) {
      const auto product = [&](std::size_t k) {
        if (k >= s.terms) return 0.0f;
        return rounded(a[s.transpose_a ? k * s.rows + i : i * s.terms + k]) *
               rounded(b[s.transpose_b ? j * s.terms + k : k * s.columns + j]);
      };
      float sum = bias == nullptr ? 0 : bias[j];
      for (std::size_t k = 0; k < s.terms; k += 2) sum = (sum + product(k + 1)) + product(k);
      c[i * s.columns + j] = sum;
    }
  }
  lipizz::nn::activation(activation, c.data(), c.data(), c.size());
  return c;
}

std::vector<float> computed(const Bf16Product::Sizes& s, Activation activation,
                            const std::vector<float>& a, const std::vector<float>& b,
                            const float* bias) {
  const Bf16Product product(s, activation);
  std::vector<float> workspace(product.n_workspace());
  std::vector<float> c(s.rows * s.columns, 7);
  product.run(a.data(), b.data(), bias, c.data(), workspace.data());
  return c;
}

void expect_defined(const Bf16Product::Sizes& s, Activation activation = Activation::kNone) {
  const std::vector<float> a = numbers(s.rows * s.terms, 0.7f);
  const std::vector<float> b = numbers(s.terms * s.columns, 0.9f);
  const std::vector<float> bias = numbers(s.columns, 1.3f);
  for (const float* each : {static_cast<const float*>(nullptr), bias.data()}) {
    EXPECT_EQ(computed(s, activation, a, b, each),
              defined(s, activation, a, b, each, std::vector<float>(s.rows * s.columns)))
        << s.rows << " x " << s.columns << " x " << s.terms;
  }
}

// Rows and columns that fill tiles and that do not; terms of one block and of several, even and
// odd; rows of several blocks, for which the second factor is packed once.
TEST_F(Bf16ProductTest, adds_up_as_the_instruction_is_defined) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      for (const std::size_t rows : {1U, 9U, 24U, 300U}) {
        for (const std::size_t columns : {1U, 16U, 49U, 70U}) {
          for (const std::size_t terms : {1U, 6U, 101U, 417U}) {
            expect_defined({rows, columns, terms, transpose_a, transpose_b});
          }
        }
      }
    }
  }
}

TEST_F(Bf16ProductTest, ends_with_its_activation) {
  for (const ActivationEntry& each : activations()) {
    expect_defined({10, 20, 30}, each.activation);
    expect_defined({10, 20, 500}, each.activation);
  }
}

}  // namespace
}  // namespace lipizz::nn::bf16_product_test
