#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lipizz::nn {

/// Bytes that plans hold which share resources (nn/cpu/plan.hpp): what each keeps, and arenas, each
/// as large as the largest of them needs.
struct PlanBytes {
  std::size_t kept = 0;
  std::vector<std::size_t> arenas = {};  // of the trunk, then of each thread for branches
  /// The host's memory for what a GPU exchanges with it at a time, of a model whose values are
  /// there. It is in no total.
  std::size_t exchanged = 0;

  [[nodiscard]] std::size_t of_arenas() const {
    std::size_t sum = 0;
    for (const std::size_t bytes : arenas) sum += bytes;
    return sum;
  }
  [[nodiscard]] std::size_t total() const { return kept + of_arenas(); }

  /// Both, sharing arenas.
  friend PlanBytes operator+(PlanBytes a, const PlanBytes& b) {
    a.kept += b.kept;
    a.exchanged += b.exchanged;
    a.arenas.resize(std::max(a.arenas.size(), b.arenas.size()));
    for (std::size_t i = 0; i < b.arenas.size(); ++i) {
      a.arenas[i] = std::max(a.arenas[i], b.arenas[i]);
    }
    return a;
  }
};

}  // namespace lipizz::nn
