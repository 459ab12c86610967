#pragma once

#include <string>

namespace lipizz::app {

/// The whole output of a shell command, without its complaints; empty when it cannot be run.
std::string output_of_command(const std::string& command);

}  // namespace lipizz::app
