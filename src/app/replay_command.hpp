#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// `lipizz replay RUN --generation N [--cell R,C]`: says how much it is to compute that state of
/// the run again, computes it, writes it, and holds it against whatever the run itself tells of it
/// (docs/lineage.md). The run's own files stay as they are. Throws what plan_replay() and
/// worker::replay() throw, and CheckpointError when something comes out otherwise than the run has
/// told; then nothing is left behind.
int replay_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
