#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/options.hpp"

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

/// A command, and the groups of options that it reads beside --help and --version.
struct CommandEntry {
  Command command;
  const char* words;
  /// As the help shows them, by spaces: FILE, [FILE] where it may be missing, and RUN... for one or
  /// more.
  const char* arguments = "";
  const char* summary;
  const char* details = "";             // whole lines for the help, most of them examples
  std::array<OptionGroup, 3> groups{};  // null behind the last one
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

/// The arguments behind a command's own words. ConfigError when they are too many, or too few.
std::vector<std::string> arguments_of(const CommandEntry& entry, std::span<const std::string> rest);

}  // namespace lipizz::app
