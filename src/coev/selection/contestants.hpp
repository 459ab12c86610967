#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "coev/selection.hpp"

/// The parameter of selections by tournament, and the draw of those that take part.
namespace lipizz::coev {

inline constexpr Parameter kSizeParameter{.name = "size",
                                          .lowest = 2,
                                          .highest = 1000,
                                          .initial = 2,
                                          .unit = "members",
                                          .summary =
                                              "How many are drawn; all where there are "
                                              "fewer.",
                                          .is_whole = true};

/// `size` distinct members, drawn uniformly; all where there are fewer.
inline std::vector<std::uint32_t> draw_contestants(const SelectionInput& input, double size) {
  const auto n = static_cast<std::uint32_t>(input.cells.size());
  const std::uint32_t n_drawn = std::min(static_cast<std::uint32_t>(size), n);
  const auto sample = static_cast<std::uint32_t>(input.role);
  std::vector<std::uint32_t> drawn(n);
  std::iota(drawn.begin(), drawn.end(), 0U);
  // The first steps of a Fisher-Yates shuffle.
  for (std::uint32_t i = 0; i < n_drawn; ++i) {
    std::swap(drawn[i], drawn[i + input.random.below(n - i, sample, i)]);
  }
  drawn.resize(n_drawn);
  return drawn;
}

}  // namespace lipizz::coev
