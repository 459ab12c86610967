#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// `lipizz evaluate`: scores a run's mixture, or samples in files, against a dataset, or features
/// against features, and prints every score with its error and the floor of real samples. Computes
/// scores with the reference engine, so that they are the same on every machine; opens no socket.
/// ConfigError for options that do not go together, DataError about files.
int evaluate_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
