#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/sweep_shares.hpp"
#include "config/experiment.hpp"
#include "sweep/work_left.hpp"

namespace lipizz::app {

/// How quick a run of this experiment is on a share of this host: trains it for a few generations
/// in a temporary folder, with this program, and looks at its events.
struct Timing {
  Generation generations = 0;  // that it was trained for
  double seconds = 0;          // all of it
  sweep::Pace pace;
};

/// Waits for it; nothing where `is_asked_to_stop` says so first. ConfigError with what the program
/// said when it fails.
std::optional<Timing> time_run(config::Experiment experiment, const CoreShare& share,
                               const std::function<bool()>& is_asked_to_stop);

}  // namespace lipizz::app
