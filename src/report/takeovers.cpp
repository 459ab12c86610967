#include "report/takeovers.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace lipizz::report {
namespace {

using Cells = std::vector<std::uint32_t>;

float n_distinct(const Cells& founders, std::vector<Generation>& last_seen, Generation generation) {
  float n = 0;
  for (const std::uint32_t founder : founders) {
    if (last_seen[founder] == generation) continue;
    last_seen[founder] = generation;
    ++n;
  }
  return n;
}

}  // namespace

std::vector<Takeover> takeovers_of(const History& history, NetworkRole role) {
  std::map<std::pair<CellId, CellId>, std::uint64_t> counts;
  for (Generation generation = 1; generation <= history.generations(); ++generation) {
    for (std::uint32_t cell = 0; cell < history.torus().cells(); ++cell) {
      const CellId parent = history.parent(role, {cell}, generation);
      if (parent != CellId{cell}) ++counts[{parent, {cell}}];
    }
  }
  std::vector<Takeover> takeovers;
  for (const auto& [pair, n] : counts) takeovers.push_back({pair.first, pair.second, n});
  std::ranges::stable_sort(takeovers, std::greater(), &Takeover::n);
  return takeovers;
}

Founders founders_of(const History& history, NetworkRole role,
                     std::span<const Generation> generations) {
  const std::uint32_t n_cells = history.torus().cells();
  Cells now(n_cells);
  std::iota(now.begin(), now.end(), 0U);
  Cells before = now;
  std::vector<Generation> last_seen(n_cells);
  Founders founders;
  auto wanted = generations.begin();
  for (Generation generation = 1; generation <= history.generations(); ++generation) {
    before.swap(now);
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
      now[cell] = before[history.parent(role, {cell}, generation).value];
    }
    founders.n_alive.push_back(n_distinct(now, last_seen, generation));
    if (wanted == generations.end() || *wanted != generation) continue;
    founders.of_cells.push_back(now);
    ++wanted;
  }
  return founders;
}

std::vector<Move> moves_of(const History& history, NetworkRole role, CellId cell,
                           std::size_t n_at_most) {
  std::vector<Move> moves;
  for (Generation generation = history.generations(); generation > 0; --generation) {
    const CellId parent = history.parent(role, cell, generation);
    if (parent == cell) continue;
    if (moves.size() == n_at_most) break;
    moves.push_back({generation, parent});
    cell = parent;
  }
  return moves;
}

}  // namespace lipizz::report
