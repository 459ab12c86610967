#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// Commands that only print a text, the same on every rank of a launcher. Each is a
/// CommandFunction.

int help_command(const CommandLine& line, std::ostream& out);
int version_command(const CommandLine& line, std::ostream& out);
int check_config_command(const CommandLine& line, std::ostream& out);
int print_config_command(const CommandLine& line, std::ostream& out);
int reference_command(const CommandLine& line, std::ostream& out);
int list_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
