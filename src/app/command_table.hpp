#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "app/options.hpp"

namespace lipizz::app {

struct CommandLine;

/// Does what a command line asks for, writing what people read to `out`, and returns the exit code.
/// Throws Error.
using CommandFunction = int (*)(const CommandLine& line, std::ostream& out);

/// On which processes of a launcher (mpirun, srun) a command works.
enum class Processes {
  kAll,  // each does the same, and the first alone is heard
  kOne,  // it is refused where there are several
};

/// A command, and the groups of options that it reads beside --help and --version.
struct CommandEntry {
  const char* words;
  /// As the help shows them, by spaces: FILE, [FILE] where it may be missing, RUN... for one or
  /// more, [WORD...] for any number, and [-- MPIRUN OPTIONS] for what is mpirun's.
  const char* arguments = "";
  const char* summary;
  const char* details = "";             // whole lines for the help, most of them examples
  std::array<OptionGroup, 3> groups{};  // null behind the last one
  Processes processes = Processes::kAll;
  CommandFunction run = nullptr;  // null: it trains, on all ranks together
};

/// In the order of the help.
std::span<const CommandEntry> commands();

/// The number of words that the command is called by.
std::size_t n_words_of(const CommandEntry& entry);

/// The command that these words begin with; ConfigError naming the nearest when there is none.
/// words: at least one.
const CommandEntry& find_command(std::span<const std::string> words);

/// That command, or all of which the only word is the first; otherwise the same error.
std::vector<const CommandEntry*> find_commands(std::span<const std::string> words);

/// True where what stands behind `--` is mpirun's.
bool starts_mpirun(const CommandEntry& entry);

/// The arguments behind a command's own words. ConfigError when they are too many, or too few.
std::vector<std::string> arguments_of(const CommandEntry& entry, std::span<const std::string> rest);

}  // namespace lipizz::app
