#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "coev/operator.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// The input of a recombination: a cell's sub-population in one generation.
struct RecombinationInput {
  std::size_t selected;  // the member that selection has chosen
  Generation generation;
};

/// The mixing of an offspring before it trains: it becomes a weighted mean of the members'
/// networks, their moments and averages (intermediate recombination, Beyer and Schwefel 2002;
/// between workers that train the same network it is decentralised parallel training, Lian et al.
/// 2017). Rate, loss and count of steps are those of the selected member. Generators and
/// discriminators are recombined alike. Neither Lipizzaner nor Mustangs recombines.
///
/// Every recombination has these properties (tests/coev/operator_conformance.hpp): equal inputs
/// give equal results; weights are not negative and sum to 1; a cell without neighbours keeps its
/// own.
struct Recombination {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// True when it may give weight to others than the selected member. Then neighbours have to send
  /// their moments (coev/migration.hpp), and all cells start from equal networks: the mean of two
  /// networks makes sense only where both come from the same one.
  bool mixes = true;
  /// Fills the weight of each member, centre first; they come as 1 for the selected one, and 0.
  void (*weigh)(const RecombinationInput& input, ParameterValues values, std::span<double> weights);
};

/// Every recombination there is.
std::span<const Recombination* const> recombinations();

}  // namespace lipizz::coev
