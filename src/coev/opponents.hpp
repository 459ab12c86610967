#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coev/operator.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// The past networks of the opponent's role that a cell keeps: its centre at the end of each
/// `period`-th generation, the last `size` of them.
struct HistorySpec {
  std::uint32_t size = 0;
  std::uint32_t period = 1;  // generations
};

/// The input of the choice of one training step's opponent. Member 0 is the network's own partner,
/// the offspring of the other role in training; the others are the neighbours' copies, and after
/// these come the past networks that the cell keeps, the oldest first.
struct OpponentsInput {
  std::uint32_t n_members;  // of the sub-population, at least 1
  const Random& random;     // keyed by seed, cell, generation and the trained network's role
  std::uint32_t step;       // counts the steps of this generation; numbers are drawn for it alone
  Generation generation = 0;
  std::uint32_t n_past = 0;  // past networks
};

/// The choice of the opponent that a network is trained against, step by step; generator and
/// discriminator each have their own (Schmiedlechner et al. 2018). Departure: with selection the
/// originals train against the selected opponent alone; here the whole sub-population always takes
/// part, which is what a neighbourhood is for.
///
/// Every choice has these properties (tests/coev/operator_conformance.hpp): equal inputs give equal
/// results; the result is below n_members + n_past; a network without neighbours and history trains
/// against its partner.
struct Opponents {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// Past networks that it may choose; none where it is absent.
  HistorySpec (*history)(ParameterValues values) = nullptr;
  /// The index of the member, or n_members and that of the past network.
  std::size_t (*draw)(const OpponentsInput& input, ParameterValues values);
};

/// Every choice of opponents there is.
std::span<const Opponents* const> opponents();

}  // namespace lipizz::coev
