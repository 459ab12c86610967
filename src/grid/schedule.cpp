#include "grid/schedule.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.hpp"

namespace lipizz::grid {

Schedule::Schedule(std::vector<Entry> entries) : entries_(std::move(entries)) {
  const bool begins_at_0 = !entries_.empty() && entries_.front().from == 0;
  const auto goes_back = [](const Entry& a, const Entry& b) { return b.from <= a.from; };
  if (begins_at_0 && std::ranges::adjacent_find(entries_, goes_back) == entries_.end()) return;
  throw InternalError("a schedule of neighbourhoods must start at generation 0 and go forward");
}

const Neighbourhood& Schedule::at(Generation generation) const {
  const auto later = std::ranges::upper_bound(entries_, generation, {}, &Entry::from);
  return *std::prev(later)->neighbourhood;
}

}  // namespace lipizz::grid
