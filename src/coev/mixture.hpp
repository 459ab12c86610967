#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// A weighted ensemble of the neighbourhood's generators, centre first, p(x) = sum_i w_i p_i(x)
/// (Schmiedlechner et al. 2018). Weights are 0 or more and sum to 1.
struct Mixture {
  std::vector<CellId> cells;
  std::vector<double> weights;

  bool operator==(const Mixture&) const = default;
};

/// All weights are equal, as at the start in Schmiedlechner et al. 2018.
Mixture equal_mixture(std::span<const CellId> cells);

/// The mixture of a changed neighbourhood: members that stay keep their weights, newcomers enter
/// with the mean weight of the old members, then all are normalised. Departure: the neighbourhoods
/// of Schmiedlechner et al. 2018 do not change.
Mixture with_members(const Mixture& old, std::span<const CellId> cells);

/// Scales the weights to the sum 1; equal ones when all are zero.
void normalise(std::span<double> weights);

/// How many of `n` samples each member contributes: the whole part of n * weight, and one more for
/// the largest remainders (ties: the first) until there are exactly n. Departure: Schmiedlechner et
/// al. 2018 round all shares up, shuffle and cut, so that a generator loses samples by chance.
std::vector<std::uint32_t> apportion(std::span<const double> weights, std::uint32_t n);

/// Adds members and weights.
void hash(Hasher& hasher, const Mixture& mixture);

}  // namespace lipizz::coev
