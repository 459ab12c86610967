#include "grid/light_cone.hpp"

#include <algorithm>
#include <utility>

namespace lipizz::grid {

LightCone::LightCone(const Torus& torus, const Schedule& schedule, std::vector<CellId> targets,
                     Generation start, Generation last)
    : start_(start), cells_(std::size_t{last} - start + 1) {
  std::ranges::sort(targets);
  cells_.back() = std::move(targets);
  for (Generation generation = last; generation > start; --generation) {
    cells_[generation - start - 1] =
        with_neighbours(torus, schedule.at(generation), cells(generation));
  }
}

std::uint64_t LightCone::n_cell_generations() const {
  std::uint64_t n = 0;
  for (std::size_t i = 1; i < cells_.size(); ++i) n += cells_[i].size();
  return n;
}

std::vector<CellId> with_neighbours(const Torus& torus, const Neighbourhood& neighbourhood,
                                    std::span<const CellId> cells) {
  std::vector<bool> is_member(torus.cells());
  for (const CellId cell : cells) {
    is_member[cell.value] = true;
    for (const CellId neighbour : neighbourhood.neighbours(torus, cell)) {
      is_member[neighbour.value] = true;
    }
  }
  std::vector<CellId> members;
  for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) {
    if (is_member[cell]) members.push_back({cell});
  }
  return members;
}

}  // namespace lipizz::grid
