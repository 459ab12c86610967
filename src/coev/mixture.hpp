#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// A weighted ensemble of the neighbourhood's generators, centre first. Weights are 0 or more and
/// sum to 1.
struct Mixture {
  std::vector<CellId> cells;
  std::vector<double> weights;

  bool operator==(const Mixture&) const = default;
};

/// All weights equal.
Mixture equal_mixture(std::span<const CellId> cells);

/// The mixture of a changed neighbourhood: who stays keeps its weight, newcomers enter with the
/// mean weight of the old members, then all are normalised.
Mixture follow(const Mixture& old, std::span<const CellId> cells);

/// Scales the weights to the sum 1; equal ones when all are zero.
void normalise(std::span<double> weights);

/// How many of `n` samples each member contributes: the whole part of n * weight, and one more for
/// the largest remainders (ties: the first) until there are exactly n.
std::vector<std::uint32_t> apportion(std::span<const double> weights, std::uint32_t n);

/// (1+1)-ES: `tries` times adds N(0, sigma) to every weight, clips at 0, normalises, and keeps the
/// result iff `judge`, lower is better, finds it strictly better. The judge must be a function of
/// the weights alone, without noise.
void evolve_weights(std::vector<double>& weights, double sigma, std::uint32_t tries,
                    const Random& random,
                    const std::function<double(std::span<const double>)>& judge);

/// Adds members and weights.
void hash(Hasher& hasher, const Mixture& mixture);

}  // namespace lipizz::coev
