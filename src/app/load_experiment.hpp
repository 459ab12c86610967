#pragma once

#include <filesystem>

#include "app/command_line.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// The file of settings that the command line names, with --config or --resume; empty: none.
std::filesystem::path file_of_settings(const CommandLine& line);

/// The experiment that the command line describes, in rising order of precedence: defaults, file,
/// --set, options. With --resume the run's own config.json takes the place of the file, and only
/// free settings may change. An empty data.dir becomes `environment_data_dir` (may be null). Throws
/// ConfigError; it is not validated.
config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir);

/// The same with the environment's LIPIZZ_DATA_DIR, validated.
config::Experiment checked_experiment(const CommandLine& line);

}  // namespace lipizz::app
