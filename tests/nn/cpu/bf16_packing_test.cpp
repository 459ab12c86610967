#include "nn/cpu/bf16_packing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "nn/base/half.hpp"
#include "nn/cpu/numbers.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::bf16_packing_test {
namespace {

using testing::numbers;

constexpr std::size_t kBeside = 3;  // columns of the matrix that are not packed

class Bf16Packing : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16(detect_numerics_level(Precision::kBf16))) GTEST_SKIP() << "no bf16 here";
  }
};

Bf16 rounded(float x) {
  return static_cast<Bf16>(half_bits<Half::kBf16>(x));
}
Bf16 rounded(Bf16 x) {
  return x;
}

// Calls with the same numbers in single precision and in bf16.
template <class Check>
void in_each_precision(const std::vector<float>& x, const Check& check) {
  check(x);
  std::vector<Bf16> of_two_bytes;
  for (const float each : x) of_two_bytes.push_back(rounded(each));
  check(of_two_bytes);
}

// Calls with numbers of terms and of sums that fill vectors, and that do not.
template <class Check>
void for_each_size(const Check& check) {
  for (const std::size_t n_terms : {1U, 2U, 15U, 32U, 33U, 70U}) {
    for (const std::size_t n : {1U, 15U, 16U, 17U, 48U}) check(n_terms, n);
  }
}

// Expects those pairs of terms, and zeros where there are none. term(i, j): inner term i of sum j.
template <class Term>
void expect_pairs(const std::vector<Bf16>& packed, std::size_t n_terms, std::size_t n,
                  const Term& term) {
  const std::size_t width = in_whole_vectors(n);
  for (std::size_t i = 0; i < 2 * n_pairs(n_terms); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const Bf16 expected = i < n_terms && j < n ? rounded(term(i, j)) : Bf16{0};
      ASSERT_EQ(packed[2 * (i / 2 * width + j) + i % 2], expected) << i << ", " << j;
    }
  }
}

// Packs matrices whose terms lie by rows or by columns.
void expect_packed(bool by_rows) {
  for_each_size([&](std::size_t n_terms, std::size_t n) {
    const std::size_t stride = (by_rows ? n : n_terms) + kBeside;
    const auto check = [&]<class Number>(const std::vector<Number>& x) {
      std::vector<Bf16> packed(2 * n_pairs(n_terms) * in_whole_vectors(n), 7);
      const auto pack = by_rows ? pack_pairs_of_rows<Number> : pack_pairs_of_columns<Number>;
      pack({x.data(), stride, n_terms, n}, packed.data());
      expect_pairs(packed, n_terms, n, [&](std::size_t i, std::size_t j) {
        return by_rows ? x[i * stride + j] : x[j * stride + i];
      });
    };
    in_each_precision(numbers((by_rows ? n_terms : n) * stride), check);
  });
}

TEST_F(Bf16Packing, rows_become_pairs) {
  expect_packed(true);
}

TEST_F(Bf16Packing, columns_become_pairs) {
  expect_packed(false);
}

TEST_F(Bf16Packing, terms_beside_one_another_are_rounded_where_they_are) {
  for_each_size([](std::size_t n_terms, std::size_t n) {
    for (const std::size_t stride : {n_terms, n_terms + kBeside}) {
      in_each_precision(numbers(n * stride), [&]<class Number>(const std::vector<Number>& x) {
        const std::size_t size = 2 * n_pairs(n_terms);
        std::vector<Bf16> packed(n * size, 7);
        round_pairs<Number>({x.data(), stride, n_terms, n}, packed.data());
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(packed[j * size + i], i < n_terms ? rounded(x[j * stride + i]) : Bf16{0});
          }
        }
      });
    }
  });
}

}  // namespace
}  // namespace lipizz::nn::bf16_packing_test
