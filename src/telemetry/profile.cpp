#include "telemetry/profile.hpp"

#include <algorithm>

namespace lipizz::telemetry {

void Profile::add(std::string_view routine, double seconds) {
  auto found = std::ranges::find(entries_, routine, &Entry::routine);
  if (found == entries_.end()) {
    entries_.push_back({std::string(routine), 0});
    found = std::prev(entries_.end());
  }
  found->seconds += seconds;
}

double Profile::seconds(std::string_view routine) const {
  const auto found = std::ranges::find(entries_, routine, &Entry::routine);
  return found == entries_.end() ? 0 : found->seconds;
}

}  // namespace lipizz::telemetry
