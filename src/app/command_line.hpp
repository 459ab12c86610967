#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/command_table.hpp"
#include "app/launch_plan.hpp"
#include "app/options.hpp"
#include "app/run_training.hpp"

namespace lipizz::app {

/// The command line as it was typed, not yet looked at beyond its grammar.
struct CommandLine {
  const CommandEntry* command = nullptr;  // never null of a parsed one
  std::vector<std::string> arguments;     // behind the command's own words
  ParsedOptions given;                    // all options, for commands that read their own
  std::filesystem::path config_file;      // empty: none
  std::vector<std::string> overrides;     // "path=value" of each --set, in order

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

}  // namespace lipizz::app
