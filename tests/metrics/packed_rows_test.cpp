#include "metrics/packed_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::packed_rows_test {
namespace {

template <class T>
PackedRows<T> packed(const std::vector<float>& values, std::size_t d) {
  PackedRows<T> rows(values.size() / d, d);
  for (std::size_t i = 0; i < values.size(); ++i) rows.set(i / d, i % d, values[i]);
  return rows;
}

// Calls check(product, expected in the order of the values, sum of magnitudes) for all pairs.
template <class T, class Check>
void visit_products(const Check& check) {
  using Packed = PackedRows<T>;
  constexpr std::size_t kN = 45;
  constexpr std::size_t kD = 37;
  const auto a = testing::made_features(kN * kD, 1);
  const auto b = testing::made_features(kN * kD, 2);
  const Packed rows = packed<T>(a, kD);
  const Packed columns = packed<T>(b, kD);
  typename Packed::Tile tile;
  for (std::size_t i = 0; i < kN; ++i) {
    for (std::size_t j = 0; j < kN; ++j) {
      rows.multiply(i / 8 * 8, columns, j / Packed::kPanelRows, tile);
      double sum = 0;
      double magnitude = 0;
      for (std::size_t k = 0; k < kD; ++k) {
        sum += double{a[i * kD + k]} * double{b[j * kD + k]};
        magnitude += std::abs(a[i * kD + k] * b[j * kD + k]);
      }
      check(tile[i % 8][j % Packed::kPanelRows], sum, magnitude);
    }
  }
}

TEST(PackedRows, products_in_double_are_summed_in_order) {
  visit_products<double>([](double found, double expected, double) { EXPECT_EQ(found, expected); });
}

TEST(PackedRows, products_in_single_precision_are_within_their_bound) {
  visit_products<float>([](float found, double expected, double magnitude) {
    EXPECT_LE(std::abs(found - expected), 37 * 0x1p-24 * magnitude);
  });
}

}  // namespace
}  // namespace lipizz::metrics::packed_rows_test
