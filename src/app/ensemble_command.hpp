#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// `lipizz ensemble RUN...`: finds the ensemble of the runs' generators whose samples score best
/// (docs/ensembles.md), writes it as a folder that other commands take like a run's, and says what
/// is in it. The runs' folders are only read. The same command writes the same bytes wherever the
/// first run's numerics level is offered. Throws what ensemble_request(), EnsemblePool,
/// find_ensemble() and NewFolder throw; then nothing is left behind.
int ensemble_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
