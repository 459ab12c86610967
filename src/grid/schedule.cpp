#include "grid/schedule.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace lipizz::grid {

Schedule::Schedule(std::vector<Entry> entries) : entries_(std::move(entries)) {
  if (entries_.empty() || entries_.front().from != 0) {
    throw ConfigError("the schedule of neighbourhoods must start with one from generation 0");
  }
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (entries_[i].from > entries_[i - 1].from) continue;
    throw ConfigError("the schedule of neighbourhoods must go forward: generation " +
                      std::to_string(entries_[i].from) + " stands after generation " +
                      std::to_string(entries_[i - 1].from));
  }
}

const Neighbourhood& Schedule::at(Generation generation) const {
  const auto later = std::ranges::upper_bound(entries_, generation, {}, &Entry::from);
  return *std::prev(later)->neighbourhood;
}

}  // namespace lipizz::grid
