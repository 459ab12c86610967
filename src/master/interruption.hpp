#pragma once

#include <limits>
#include <memory>

#include "core/stop_request.hpp"

namespace lipizz::master {

/// The reasons that may end a run before its last generation.
struct Interruption {
  /// Whoever wants the run to stop asks here.
  std::shared_ptr<StopRequest> request = std::make_shared<StopRequest>();
  /// The time on the run's clock by which it must have left.
  double until_s = std::numeric_limits<double>::infinity();
};

}  // namespace lipizz::master
