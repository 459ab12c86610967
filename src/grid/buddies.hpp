#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::grid {

/// How many other workers keep a copy of each cell's state, where there are so many.
inline constexpr std::size_t kBuddies = 2;

/// The workers that keep the copies of `worker`'s cells: those that follow it in `workers`
/// (ascending, with `worker` in it), beginning again after the last; those on other hosts before
/// those on its own. `hosts` is by rank. A pure function, so that all ranks agree without a word.
std::vector<Rank> buddies_of(Rank worker, std::span<const Rank> workers,
                             std::span<const std::string> hosts);

}  // namespace lipizz::grid
