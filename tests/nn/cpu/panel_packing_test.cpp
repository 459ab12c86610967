#include "nn/cpu/panel_packing.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "nn/base/half.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/numbers.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::panel_packing_test {
namespace {

using testing::numbers;

constexpr std::size_t kBeside = 3;  // columns of the matrix that are not packed

class PanelPacking : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_steps(detect_numerics_level(), Precision::kF32)) GTEST_SKIP() << "no AVX-512 here";
  }
};

class Bf16Packing : public ::testing::Test {
 protected:
  void SetUp() override {
    const NumericsLevel level = detect_numerics_level(Precision::kBf16);
    if (!has_steps(level, Precision::kBf16)) GTEST_SKIP() << "no bf16 here";
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

// Where a packed matrix has been written, and what was there before behind it.
struct Packed {
  static constexpr float kUntouched = 7;

  explicit Packed(std::size_t n) : floats(n + kVectorLanes, kUntouched) {}

  // As numbers in bf16, without what lies behind.
  [[nodiscard]] std::vector<Bf16> pairs() const {
    std::vector<Bf16> all(2 * (floats.size() - kVectorLanes));
    std::memcpy(all.data(), floats.data(), all.size() * sizeof(Bf16));
    return all;
  }
  void expect_no_more() const {
    EXPECT_EQ(std::vector(floats.end() - kVectorLanes, floats.end()),
              std::vector(kVectorLanes, kUntouched));
  }

  std::vector<float> floats;
};

// Packs a matrix whose terms lie by rows or by columns.
template <class Step, class Number>
Packed packed(const Terms<Number>& x, bool by_rows) {
  Packed result(n_steps<Step>(x.n_terms) * in_whole_vectors(x.n));
  if (by_rows) {
    pack_rows<Step>(x, result.floats.data());
  } else {
    pack_columns<Step>(x, result.floats.data(), in_whole_vectors(x.n));
  }
  result.expect_no_more();
  return result;
}

// Calls with matrices of all sizes, and with the place of inner term i of sum j in them.
template <class Check>
void for_each_matrix(bool by_rows, const Check& check) {
  for_each_size([&](std::size_t n_terms, std::size_t n) {
    const std::size_t stride = (by_rows ? n : n_terms) + kBeside;
    const auto at = [&](std::size_t i, std::size_t j) {
      return by_rows ? i * stride + j : j * stride + i;
    };
    check(numbers((by_rows ? n_terms : n) * stride), stride, n_terms, n, at);
  });
}

// Expects pairs of terms, and zeros where there are none.
void expect_pairs(bool by_rows) {
  for_each_matrix(by_rows, [&](const std::vector<float>& floats, std::size_t stride,
                               std::size_t n_terms, std::size_t n, const auto& at) {
    in_each_precision(floats, [&]<class Number>(const std::vector<Number>& x) {
      const auto pairs = packed<Pair, Number>({x.data(), stride, n_terms, n}, by_rows).pairs();
      const std::size_t width = in_whole_vectors(n);
      ASSERT_EQ(pairs.size(), 2 * n_steps<Pair>(n_terms) * width);
      for (std::size_t i = 0; i < 2 * n_steps<Pair>(n_terms); ++i) {
        for (std::size_t j = 0; j < width; ++j) {
          const Bf16 expected = i < n_terms && j < n ? rounded(x[at(i, j)]) : Bf16{0};
          ASSERT_EQ(pairs[2 * (i / 2 * width + j) + i % 2], expected) << i << ", " << j;
        }
      }
    });
  });
}

// The same of single terms, which stay as they are.
void expect_single_terms(bool by_rows) {
  for_each_matrix(by_rows, [&](const std::vector<float>& x, std::size_t stride, std::size_t n_terms,
                               std::size_t n, const auto& at) {
    const Packed terms = packed<Single, float>({x.data(), stride, n_terms, n}, by_rows);
    const std::size_t width = in_whole_vectors(n);
    for (std::size_t i = 0; i < n_terms; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        ASSERT_EQ(terms.floats[i * width + j], j < n ? x[at(i, j)] : 0) << i << ", " << j;
      }
    }
  });
}

TEST_F(PanelPacking, rows_stay_rows) {
  expect_single_terms(true);
}

TEST_F(PanelPacking, columns_become_rows) {
  expect_single_terms(false);
}

TEST_F(PanelPacking, a_matrix_is_transposed_between_what_stays) {
  for_each_matrix(false, [](const std::vector<float>& x, std::size_t stride, std::size_t n_terms,
                            std::size_t n, const auto& at) {
    const std::size_t to_stride = n + kBeside;
    std::vector<float> to(n_terms * to_stride, Packed::kUntouched);
    transpose({x.data(), stride, n_terms, n}, to.data(), to_stride);
    for (std::size_t i = 0; i < n_terms; ++i) {
      for (std::size_t j = 0; j < to_stride; ++j) {
        ASSERT_EQ(to[i * to_stride + j], j < n ? x[at(i, j)] : Packed::kUntouched);
      }
    }
  });
}

TEST_F(Bf16Packing, rows_become_pairs) {
  expect_pairs(true);
}

TEST_F(Bf16Packing, columns_become_pairs) {
  expect_pairs(false);
}

TEST_F(Bf16Packing, terms_beside_one_another_are_rounded_where_they_are) {
  for_each_size([](std::size_t n_terms, std::size_t n) {
    for (const std::size_t stride : {n_terms, n_terms + kBeside}) {
      in_each_precision(numbers(n * stride), [&]<class Number>(const std::vector<Number>& x) {
        const std::size_t size = 2 * n_steps<Pair>(n_terms);
        Packed result(n * size / 2);
        round_pairs<Number>({x.data(), stride, n_terms, n}, result.floats.data());
        result.expect_no_more();
        const std::vector<Bf16> pairs = result.pairs();
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(pairs[j * size + i], i < n_terms ? rounded(x[j * stride + i]) : Bf16{0});
          }
        }
      });
    }
  });
}

}  // namespace
}  // namespace lipizz::nn::panel_packing_test
