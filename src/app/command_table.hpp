#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

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

/// A command, and the options that it reads beside --help and --version.
struct CommandEntry {
  Command command;
  const char* words;
  const char* argument = "";  // shown in the help; in brackets when it may be missing
  const char* summary;
  const char* details = "";  // whole lines for the help, most of them examples
  bool reads_experiment = false;
  bool reads_run_options = false;
  bool reads_launch_options = false;
  bool reads_list_options = false;
};

/// All but kVersion, which is an option alone. In the order of the help.
std::span<const CommandEntry> commands();

/// The number of words that the command is called by.
std::size_t n_words_of(const CommandEntry& entry);

/// The command that these words begin with; ConfigError naming the nearest when there is none.
/// words: at least one.
const CommandEntry& find_command(std::span<const std::string> words);

/// That command, or all of which the only word is the first; otherwise the same error.
std::vector<const CommandEntry*> find_commands(std::span<const std::string> words);

/// The argument behind a command's own words; empty when there is none. ConfigError when that is
/// too much, or too little.
std::string argument_of(const CommandEntry& entry, std::span<const std::string> rest);

}  // namespace lipizz::app
