#pragma once

#include <cstdint>

namespace lipizz::coev {

/// The seed of the random numbers of a cell's offspring `number`: the run's own for the first, and
/// others for those that follow, so that a run with several begins as one with a single one does.
std::uint64_t seed_of_offspring(std::uint64_t seed, std::uint32_t number);

}  // namespace lipizz::coev
