#include "app/restarts.hpp"

#include <algorithm>
#include <cmath>

namespace lipizz::app {

std::optional<double> Restarts::next(bool has_progressed) {
  constexpr double kLongest_s = 60;
  if (has_progressed) count_ = 0;
  if (count_ == at_most_) return std::nullopt;
  ++count_;
  return count_ == 1 ? 0 : std::min(kLongest_s, std::exp2(count_ - 1));
}

}  // namespace lipizz::app
