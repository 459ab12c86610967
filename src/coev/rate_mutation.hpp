#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coev/operator.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// The input of a mutation of a learning rate: one chance of one network to mutate.
struct RateMutationInput {
  double rate;           // the offspring's own, which is above or at 0
  double initial_rate;   // the one that the run started with
  const Random& random;  // keyed by seed, cell, generation and the network's role
  std::uint32_t sample;  // counts the chances of this generation; numbers are drawn for it alone
  bool is_copy = false;  // of a neighbour's network, which selection has taken in this generation
};

/// The mutation of an offspring's learning rate (Schmiedlechner et al. 2018). Departure: in the
/// originals the optimizer's state, when it is loaded again, undoes the change; here the optimizer
/// uses the mutated rate from then on.
///
/// Every mutation has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; the rate stays a finite number of at least 0.
struct RateMutation {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// The new rate.
  double (*mutate)(const RateMutationInput& input, ParameterValues values);
};

/// Every mutation of rates there is.
std::span<const RateMutation* const> rate_mutations();

/// True with this probability, by the first random number of the input's sample.
inline bool happens(const RateMutationInput& input, double probability) {
  return input.random.uniform(input.sample, 0) < probability;
}
/// The second number of the input's sample, of a standard normal distribution.
inline double normal_step(const RateMutationInput& input) {
  return input.random.normal(input.sample, 1);
}

}  // namespace lipizz::coev
