#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: writes the table of the runs, and those below the folders that are named, to
/// `out`, and, where --output names a file, the page. Changes nothing in any run.
///
/// ConfigError when something that is named is no run nor a folder of runs, and when scores were
/// taken by different judges. Whatever was named itself must be readable; a run below a folder that
/// is not is left out, which the end of the output says, and the exit code is that of its error.
int compare_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
