#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/launch_plan.hpp"
#include "app/run_training.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

enum class Command {
  kHelp,
  kVersion,
  kTrain,
  kLaunch,
  kCheckConfig,
  kPrintConfig,
  kReference,
  kList,
  kTune
};

/// What was asked for, not yet looked at beyond its grammar.
struct CommandLine {
  Command command = Command::kTrain;
  std::string argument;  // the file of `config check`, the kind of `list`, the file of `tune`
  std::filesystem::path config_file;   // empty: none
  std::vector<std::string> overrides;  // "path=value" of each --set, in order

  /// An option that stands for a setting.
  struct Option {
    std::string name;  // "--seed"
    std::string path;  // "seed"
    std::string value;
  };
  std::vector<Option> options;
  RunOptions run;
  LaunchOptions launch;
  bool is_verbose = false;  // of `list`
};

/// arguments: without the program's name; for `launch`, what follows `--` is mpirun's. ConfigError
/// naming the nearest command or option when one is unknown, and for options that the command would
/// not read.
CommandLine parse_command_line(std::span<const std::string> arguments);

/// The experiment that the command line describes, in rising order of precedence: defaults, file,
/// --set, options. With --resume the run's own config.json takes the place of the file, and only
/// free settings may change. An empty data.dir becomes `environment_data_dir` (may be null). Throws
/// ConfigError; names are not checked.
config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir);

/// What --help prints.
std::string help_text();

}  // namespace lipizz::app
