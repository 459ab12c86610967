#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// `lipizz generate RUN`: writes samples of the run's mixture (docs/generating.md), and says what
/// it has written. The run's folder is only read. The same command writes the same bytes, however
/// often and wherever the run's numerics level is offered. Throws what generate_request(),
/// RunMixture and make_output() throw; then nothing is left behind.
int generate_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
