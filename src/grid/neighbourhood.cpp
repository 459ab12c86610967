#include "grid/neighbourhood.hpp"

#include <algorithm>
#include <array>

#include "core/table.hpp"

namespace lipizz::grid {
namespace {

struct Step {
  int down;
  int right;
};

void add_new(std::vector<CellId>& neighbours, CellId cell, CellId candidate) {
  if (candidate == cell || std::ranges::find(neighbours, candidate) != neighbours.end()) return;
  neighbours.push_back(candidate);
}

std::vector<CellId> by_steps(const Torus& torus, CellId cell, std::span<const Step> steps) {
  std::vector<CellId> neighbours;
  for (const auto [down, right] : steps) {
    add_new(neighbours, cell, torus.offset(cell, down, right));
  }
  return neighbours;
}

std::vector<CellId> by_ring(const Torus& torus, CellId cell, int radius) {
  std::vector<CellId> neighbours;
  for (int distance = 1; distance <= radius; ++distance) {
    add_new(neighbours, cell, torus.along_ring(cell, -distance));
    add_new(neighbours, cell, torus.along_ring(cell, distance));
  }
  return neighbours;
}

constexpr std::array<Step, 8> kSteps{
    {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

std::vector<CellId> cross5(const Torus& torus, CellId cell) {
  return by_steps(torus, cell, std::span(kSteps).first<4>());
}
std::vector<CellId> moore9(const Torus& torus, CellId cell) {
  return by_steps(torus, cell, kSteps);
}
std::vector<CellId> ring3(const Torus& torus, CellId cell) {
  return by_ring(torus, cell, 1);
}
std::vector<CellId> ring5(const Torus& torus, CellId cell) {
  return by_ring(torus, cell, 2);
}
std::vector<CellId> isolated(const Torus&, CellId) {
  return {};
}

constexpr std::array<Neighbourhood, 5> kNeighbourhoods{{
    {"cross5", "the cell with those above, below, left and right of it", cross5},
    {"moore9", "the cell with the eight around it", moore9},
    {"ring3", "one-dimensional: the cell with those before and after it, row by row", ring3},
    {"ring5", "one-dimensional: the cell with the two before and the two after it", ring5},
    {"isolated", "the cell alone", isolated},
}};

}  // namespace

std::span<const Neighbourhood> neighbourhoods() {
  return kNeighbourhoods;
}

const Neighbourhood& find_neighbourhood(std::string_view name) {
  return find_row(kNeighbourhoods, &Neighbourhood::name, name, "neighbourhood");
}

}  // namespace lipizz::grid
