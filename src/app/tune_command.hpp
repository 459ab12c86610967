#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: writes the table that tuned() measures into the file that the line names,
/// which must not exist.
int tune_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
