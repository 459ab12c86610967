#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "coev/operator.hpp"

namespace lipizz::coev {

/// The function that makes an individual's fitness of its losses against all its opponents
/// (Schmiedlechner et al. 2018; Al-Dujaili et al. 2018 take the worst). Departure: the losses are
/// all under one common loss, whatever each individual trains with, since an MSE is always below a
/// cross-entropy.
///
/// Every aggregation has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; the order of the opponents does not matter; the result lies between the least and
/// the greatest loss, and does not fall when a loss rises.
struct FitnessAggregation {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// losses: one for each opponent, at least one, all finite.
  double (*aggregate)(std::span<const double> losses, ParameterValues values);
};

/// Every aggregation there is.
std::span<const FitnessAggregation* const> fitness_aggregations();

/// The losses of one individual against all its opponents, as one number; NaN when any of them is
/// not finite, or there is none.
double aggregate(const Configured<FitnessAggregation>& aggregation, std::span<const double> losses);

/// Mean losses of generators against discriminators under one common loss.
struct PairLosses {
  std::size_t n_generators = 0;
  std::size_t n_discriminators = 0;
  std::vector<double> generator{};  // [n_generators, n_discriminators], the generator's loss
  std::vector<double> fake{};  // the same pairs, the discriminator's loss on generated samples;
                               // of a relativistic loss all of it
  std::vector<double> real{};  // [n_discriminators], its loss on real samples; empty: not asked
};

/// Fitness, lower is better, of every generator: it aggregates L_G(g, d) over the discriminators d.
std::vector<double> generator_fitness(const PairLosses& losses,
                                      const Configured<FitnessAggregation>& aggregation);
/// Fitness of every discriminator: it aggregates L_real(d) + L_fake(g, d) over the generators g.
std::vector<double> discriminator_fitness(const PairLosses& losses,
                                          const Configured<FitnessAggregation>& aggregation);

}  // namespace lipizz::coev
