#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "app/run_training.hpp"

namespace lipizz::app {

/// run_training(), or a double in tests.
using Trainer = std::function<int(const LoadExperiment&, const RunOptions&)>;

/// Does what the arguments (without the program's name) ask for, writing what was asked for to
/// `out`, and returns the exit code. Throws Error. Under a launcher every rank calls it; only the
/// first one writes, and an error on the command line goes through the trainer, so that one rank
/// alone reports it.
int run(std::span<const std::string> arguments, const Trainer& train, std::ostream& out);

}  // namespace lipizz::app
