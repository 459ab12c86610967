#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: shows the run in the folder that the line names, wherever it runs, until it
/// ends; with --once as it is now. Leaves the run alone.
int watch_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
