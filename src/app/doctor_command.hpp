#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// A CommandFunction: reports what this machine offers a run of the line's settings, each with what
/// to do where it is wrong. Under a launcher every rank calls it. Usage's exit code where something
/// would stop a run.
int doctor_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
