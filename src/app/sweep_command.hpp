#pragma once

#include <iosfwd>

#include "app/command_line.hpp"

namespace lipizz::app {

/// CommandFunctions. Each reads the sweep's file and has every combination checked as a run would
/// be, before anything else but its options: one that nobody would read is a ConfigError.

/// Prints what will run, what is finished, and how long the rest takes by a timing run.
int plan_sweep_command(const CommandLine& line, std::ostream& out);
/// Trains what is left, here or as an array of Slurm's. Returns the exit code of sweep::Runner.
int run_sweep_command(const CommandLine& line, std::ostream& out);
/// Prints who is at what.
int sweep_status_command(const CommandLine& line, std::ostream& out);
/// Figures, as text and as files.
int report_sweep_command(const CommandLine& line, std::ostream& out);

}  // namespace lipizz::app
