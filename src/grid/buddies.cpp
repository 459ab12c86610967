#include "grid/buddies.hpp"

#include <algorithm>

namespace lipizz::grid {

std::vector<Rank> buddies_of(Rank worker, std::span<const Rank> workers,
                             std::span<const std::string> hosts) {
  std::vector<Rank> others(workers.begin(), workers.end());
  std::ranges::rotate(others, std::ranges::upper_bound(others, worker));
  std::erase(others, worker);
  const auto host_of = [&](Rank rank) { return hosts[static_cast<std::size_t>(rank.value)]; };
  std::ranges::stable_partition(others,
                                [&](Rank other) { return host_of(other) != host_of(worker); });
  others.resize(std::min(others.size(), kBuddies));
  return others;
}

}  // namespace lipizz::grid
