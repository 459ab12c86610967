#pragma once

#include <cmath>
#include <cstddef>

#include "coev/operator.hpp"
#include "core/ids.hpp"

/// The parameter of operators that do something now and then.
namespace lipizz::coev {

inline constexpr Parameter kPeriodParameter{
    .name = "period",
    .lowest = 1,
    .highest = 1e6,
    .initial = 1,
    .unit = "generations",
    .summary = "How often it happens; in between each cell trains its own pair.",
    .is_whole = true};

inline bool is_due(Generation generation, double period) {
  return std::fmod(generation, period) == 0;
}

/// True in generations in which an operator does something: in all where it has no period.
template <Operator Record>
bool is_due(Generation generation, const Configured<Record>& configured) {
  for (std::size_t i = 0; i < configured->parameters.size(); ++i) {
    if (configured->parameters[i].name != kPeriodParameter.name) continue;
    return is_due(generation, configured.values()[i]);
  }
  return true;
}

}  // namespace lipizz::coev
