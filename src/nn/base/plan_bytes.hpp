#pragma once

#include <algorithm>
#include <cstddef>

namespace lipizz::nn {

/// Bytes that plans hold which share an arena: what each keeps, and their arena.
struct PlanBytes {
  std::size_t kept = 0;
  std::size_t arena = 0;

  [[nodiscard]] std::size_t total() const { return kept + arena; }
  /// Both, sharing an arena.
  friend PlanBytes operator+(PlanBytes a, PlanBytes b) {
    return {a.kept + b.kept, std::max(a.arena, b.arena)};
  }
};

}  // namespace lipizz::nn
