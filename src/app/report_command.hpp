#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: writes the report of the run that the line names, and prints its path.
int report_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
