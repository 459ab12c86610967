#pragma once

#include <span>
#include <string_view>

#include "coev/operator.hpp"

namespace lipizz::coev {

/// The decision on a centre after training.
enum class Decision {
  kKeep,       // the centre stays
  kOffspring,  // the offspring takes its place
  kRescue,     // the best finite neighbour does
};

/// The decision whether the trained offspring replaces the centre (Schmiedlechner et al. 2018).
/// Departure: the original ties replacement to selection, elitist with it and in place without;
/// here it is an operator of its own, and a network that is not finite never becomes a centre.
///
/// Every replacement has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; an offspring that is not finite is never taken, and a centre that is not finite
/// never kept.
struct Replacement {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// True when it compares the fitness of both. Then the centre is evaluated before training, and
  /// the offspring meets the same opponents on the same batch; otherwise it is told NaN for the
  /// centre, and the offspring's fitness, on a small sample and against its own partner alone, is
  /// only reported.
  bool compares_fitness = true;
  /// Fitness is NaN for what is not finite.
  Decision (*decide)(double centre, double offspring, ParameterValues values);
};

/// Every replacement there is.
std::span<const Replacement* const> replacements();

}  // namespace lipizz::coev
