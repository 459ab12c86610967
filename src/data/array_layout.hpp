#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace lipizz::data {

/// The numbers of an array in a file.
enum class ElementType : std::uint8_t { kUint8, kFloat32, kFloat64 };

[[nodiscard]] constexpr std::size_t n_bytes_of(ElementType type) {
  return type == ElementType::kUint8 ? 1 : type == ElementType::kFloat32 ? 4 : 8;
}

/// `(60000, 28, 28)`, `(3,)`: as Python shows a shape.
[[nodiscard]] inline std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : " ") + std::to_string(shape[i]);
    if (i == 0 || i + 1 < shape.size()) text += ",";
  }
  return text + ")";
}

/// An array in a file: its sizes from the slowest to the fastest index. Its rows, what one first
/// index stands for, are the samples.
struct ArrayLayout {
  ElementType type{};
  std::vector<std::uint64_t> shape;

  [[nodiscard]] std::uint64_t n_rows() const { return shape.front(); }
  /// Values in one row.
  [[nodiscard]] std::uint64_t row_size() const {
    std::uint64_t product = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) product *= shape[i];
    return product;
  }
  [[nodiscard]] std::uint64_t n_bytes() const { return n_rows() * row_size() * n_bytes_of(type); }

  /// True where no size is 0 and n_bytes() fits into a signed 64-bit number. Whoever takes a shape
  /// from a file asks this first.
  [[nodiscard]] bool is_possible() const {
    std::uint64_t left = std::numeric_limits<std::int64_t>::max() / n_bytes_of(type);
    for (const std::uint64_t size : shape) {
      if (size == 0) return false;
      left /= size;
    }
    return left > 0;
  }
};

/// About rows of `row_size` values from `first_row` on: names the first value that is not finite;
/// empty where all are.
[[nodiscard]] inline std::string describe_not_finite(std::span<const float> values,
                                                     std::uint64_t first_row,
                                                     std::uint64_t row_size) {
  const auto place = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
  if (place == values.end()) return {};
  const auto index = static_cast<std::uint64_t>(place - values.begin());
  return "expected finite numbers of single precision, found " + number_text(*place) + " in row " +
         std::to_string(first_row + index / row_size) + ", counted from 0";
}

}  // namespace lipizz::data
