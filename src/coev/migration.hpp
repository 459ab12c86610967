#pragma once

#include <span>
#include <string_view>

#include "coev/genome.hpp"
#include "coev/operator.hpp"

namespace lipizz::coev {

/// The part of a centre that travels to the neighbours (Schmiedlechner et al. 2018; Perez et al.
/// 2020). Learning rate, loss, count of steps and a generator's average always do. Departures:
/// Schmiedlechner et al. always send the optimizer's moments; here they stay where no selection
/// asks for them. Perez et al. gather from all cells; here a publication goes to the neighbours
/// alone.
struct Migration {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// kTravel: an offspring that is copied from a neighbour goes on with its moments.
  Moments moments;
};

/// Every migration there is.
std::span<const Migration* const> migrations();

}  // namespace lipizz::coev
