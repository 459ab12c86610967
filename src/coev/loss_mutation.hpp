#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coev/operator.hpp"
#include "core/random.hpp"
#include "nn/base/loss.hpp"

namespace lipizz::coev {

/// The input of a mutation of the loss: one chance of one generator to mutate.
struct LossMutationInput {
  nn::LossId loss;  // what the offspring minimises
  std::span<const nn::LossId>
      losses;            // those to choose from, as configured; empty without mutation
  const Random& random;  // keyed by seed, cell and generation
  std::uint32_t sample;  // counts the chances of this generation; numbers are drawn for it alone
  std::uint32_t offspring = 0;  // its number among those of its cell
};

/// The choice of the loss that an offspring generator trains with (Mustangs; Toutouh et al. 2019).
/// Departure: the original draws a loss at each evaluation, for fitness too; here an individual has
/// one loss, which it keeps until the next chance, and fitness is always under the common one.
///
/// Every mutation has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; the loss is the one before or one of those to choose from.
struct LossMutation {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// True when it chooses among the configured losses, of which there must be at least one then.
  bool chooses = true;
  nn::LossId (*mutate)(const LossMutationInput& input, ParameterValues values);
};

/// Every mutation of losses there is.
std::span<const LossMutation* const> loss_mutations();

}  // namespace lipizz::coev
