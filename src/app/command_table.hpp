#pragma once

#include <cstddef>
#include <span>
#include <string>

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
  bool reads_experiment = false;
  bool reads_run_options = false;
  bool reads_launch_options = false;
  bool reads_list_options = false;
};

/// All but kHelp and kVersion, which are options.
std::span<const CommandEntry> commands();

/// The number of words that the command is called by.
std::size_t n_words_of(const CommandEntry& entry);

/// The command that these words begin with; ConfigError naming the nearest when there is none.
/// words: at least one.
const CommandEntry& find_command(std::span<const std::string> words);

/// The argument behind a command's own words; empty when there is none. ConfigError when that is
/// too much, or too little.
std::string argument_of(const CommandEntry& entry, std::span<const std::string> rest);

}  // namespace lipizz::app
