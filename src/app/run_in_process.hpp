#pragma once

#include "app/run_training.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"

namespace lipizz::app {

/// Runs the grid on threads of this process: a master and n_workers >= 1 workers with their
/// helpers. Returns the exit code; throws the error that ends the run.
int run_in_process(const config::Experiment& experiment, const RunOptions& options, int n_workers,
                   const Clock& clock);

/// As many workers as the experiment says, else as cores, but no more than cells.
int default_workers(const config::Experiment& experiment);

}  // namespace lipizz::app
