#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::grid {

/// The cells that one trains against, as pure arithmetic on the torus.
///
/// `neighbours` gives each neighbour once, without the cell itself, in a fixed order: above, below,
/// left, right, then the corners row by row; on a ring the one before and the one after, then those
/// two away likewise. A publication's direction (docs/protocol.md) and the members of a
/// sub-population (coev/subpopulation.hpp) follow this order. On a small torus, where two
/// directions meet in one cell, the first of them counts. It is symmetric: a cell is a neighbour of
/// each of its neighbours, and none is more than kRowsOfReach rows of cells away by its number, but
/// for those around an end of the grid.
struct Neighbourhood {
  std::string_view name;
  std::string_view summary;
  std::vector<CellId> (*neighbours)(const Torus& torus, CellId cell);
};

inline constexpr std::uint32_t kRowsOfReach = 2;

/// Every neighbourhood there is.
std::span<const Neighbourhood> neighbourhoods();

/// ConfigError naming the nearest when there is none of that name. The reference holds for ever.
const Neighbourhood& find_neighbourhood(std::string_view name);

}  // namespace lipizz::grid
