#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: launch(), for the experiment and the run's folder that the line names.
int launch_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
