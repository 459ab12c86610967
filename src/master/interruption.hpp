#pragma once

#include <functional>
#include <limits>
#include <string>

namespace lipizz::master {

/// The reasons that may end a run before its last generation.
struct Interruption {
  /// Says in a few words who has asked for it (`signal USR1`); empty while nobody has. Called
  /// at every heartbeat, also after the first answer.
  std::function<std::string()> requested = [] { return std::string(); };
  /// The time on the run's clock by which it must have left.
  double until_s = std::numeric_limits<double>::infinity();
};

}  // namespace lipizz::master
