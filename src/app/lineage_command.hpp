#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// `lipizz lineage RUN [CELL]`: prints the ancestors of a network (report/lineage_text.hpp).
/// ConfigError when there is no such run, cell or generation; CheckpointError, after what could be
/// told, when a line of metrics that it needs is missing or damaged.
int lineage_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
