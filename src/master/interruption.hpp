#pragma once

#include <functional>
#include <limits>
#include <string>

namespace lipizz::master {

/// What may end a run before its last generation.
struct Interruption {
  /// Who has asked for it, in a few words (`signal USR1`); empty while nobody has. Called
  /// at every heartbeat, also after the first answer.
  std::function<std::string()> requested = [] { return std::string(); };
  /// The time on the run's clock by which it must have left.
  double until_s = std::numeric_limits<double>::infinity();
};

}  // namespace lipizz::master
