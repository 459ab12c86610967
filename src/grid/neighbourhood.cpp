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

constexpr std::array<Step, 8> kSteps{{{.down = -1, .right = 0},
                                      {.down = 1, .right = 0},
                                      {.down = 0, .right = -1},
                                      {.down = 0, .right = 1},
                                      {.down = -1, .right = -1},
                                      {.down = -1, .right = 1},
                                      {.down = 1, .right = -1},
                                      {.down = 1, .right = 1}}};

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
    {.name = "cross5",
     .summary = "the cell with those above, below, left and right of it",
     .neighbours = cross5},
    {.name = "moore9", .summary = "the cell with the eight around it", .neighbours = moore9},
    {.name = "ring3",
     .summary = "one-dimensional: the cell with those before and after it, row by row",
     .neighbours = ring3},
    {.name = "ring5",
     .summary = "one-dimensional: the cell with the two before and the two after it",
     .neighbours = ring5},
    {.name = "isolated", .summary = "the cell alone", .neighbours = isolated},
}};

}  // namespace

std::span<const Neighbourhood> neighbourhoods() {
  return kNeighbourhoods;
}

const Neighbourhood& find_neighbourhood(std::string_view name) {
  return find_row(kNeighbourhoods, &Neighbourhood::name, name, "neighbourhood");
}

}  // namespace lipizz::grid
