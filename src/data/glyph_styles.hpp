#pragma once

#include <cstdint>
#include <span>

namespace lipizz::data {

/// A point of the pen's path: x to the right, y downwards, a digit being about 60 wide and 100 high
/// from (0, 0). A point given twice is a corner.
struct PathPoint {
  std::int8_t x;
  std::int8_t y;
  bool operator==(const PathPoint&) const = default;
};

/// Stands between two strokes.
inline constexpr PathPoint kPenUp{-1, -1};

/// One way to write a digit: smooth curves through its points.
using PenPath = std::span<const PathPoint>;

/// The ways to write `digit`, 0..9.
std::span<const PenPath> glyph_styles(std::uint32_t digit);

}  // namespace lipizz::data
