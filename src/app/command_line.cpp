#include "app/command_line.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "app/options.hpp"
#include "app/time_limit.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

namespace po = boost::program_options;
using Arguments = std::span<const std::string>;

bool reads(const CommandEntry& entry, const std::string& option) {
  return std::ranges::any_of(entry.groups, [&](OptionGroup group) {
    return group != nullptr && group().find_nothrow(option, false) != nullptr;
  });
}

void refuse_unread(const CommandEntry& entry, const ParsedOptions& given) {
  for (const po::option& option : given.typed) {
    const bool is_word = option.position_key != -1;
    if (is_word || reads(entry, option.string_key)) continue;
    throw ConfigError(std::string(entry.words) + " does not take --" + option.string_key);
  }
}

// ROWSxCOLUMNS; whether the two are numbers in range is for the settings to say.
void add_grid(const std::string& grid, CommandLine& line) {
  const std::size_t x = grid.find('x');
  if (x == std::string::npos || x == 0 || x + 1 == grid.size()) {
    throw ConfigError("--grid: expected ROWSxCOLUMNS, for example 4x4; found \"" + shortened(grid) +
                      "\"");
  }
  line.options.push_back({.name = "--grid rows", .path = "grid.rows", .value = grid.substr(0, x)});
  line.options.push_back(
      {.name = "--grid columns", .path = "grid.columns", .value = grid.substr(x + 1)});
}

// The path that an option names, empty where it was not given.
std::string path_of(const ParsedOptions& given, const std::string& option, const char* what) {
  const std::string path = given.text(option);
  if (path.empty() && given.has(option)) {
    throw ConfigError("--" + option + ": expected " + what + ", found \"\"");
  }
  return path;
}

void add_settings(const ParsedOptions& given, CommandLine& line) {
  line.config_file = path_of(given, "config", "a file");
  line.overrides = given.list("set");
  if (given.has("grid")) add_grid(given.text("grid"), line);
  for (const SettingOption& option : kSettingOptions) {
    if (!given.has(option.name)) continue;
    line.options.push_back({.name = std::string("--") + option.name,
                            .path = option.path,
                            .value = given.text(option.name)});
  }
}

void add_run_options(const ParsedOptions& given, const CommandEntry& entry, CommandLine& line) {
  line.run.output_dir = path_of(given, "output", "a folder");
  line.run.resume_dir = path_of(given, "resume", "a folder");
  if (given.has("time-limit")) line.run.time_limit_s = duration_s(given.text("time-limit"));
  if (!line.run.resume_dir.empty() && !(line.config_file.empty() && line.run.output_dir.empty())) {
    throw ConfigError(
        "--resume goes on in the run's own folder, with its own configuration; give "
        "neither --config nor --output");
  }
  line.run.from_seed = given.has_flag("from-seed");
  if (line.run.from_seed && line.run.resume_dir.empty() && reads(entry, "resume")) {
    throw ConfigError(
        "--from-seed goes with --resume RUN; a new run begins from its seed in any case");
  }
  line.run.quiet = given.has_flag("quiet");
  line.run.dry_run = given.has_flag("dry-run");
}

// The options that the started program gets: those of the experiment as they were typed, since
// launch's own and those of the run change from start to start.
void pass_on(const std::vector<po::option>& typed, LaunchOptions& launch) {
  const po::options_description experiment = experiment_options();
  for (const po::option& option : typed) {
    if (experiment.find_nothrow(option.string_key, false) != nullptr) {
      append(launch.training, option.original_tokens);
    }
    const bool is_for_every_start = option.string_key == "quiet" ||
                                    option.string_key == "from-seed" ||
                                    option.string_key == "dry-run";
    if (is_for_every_start) launch.watching.push_back("--" + option.string_key);
  }
}

// Leaves `value` as it is where the option was not given.
void read_count(const ParsedOptions& given, const std::string& option, std::uint32_t lowest,
                std::uint32_t highest, std::uint32_t& value) {
  if (!given.has(option)) return;
  const std::string text = given.text(option);
  const auto count = parse_number<std::uint32_t>(text);
  if (!count || *count < lowest || *count > highest) {
    const std::string found = parse_number<double>(text) ? text : "\"" + text + "\"";
    throw ConfigError("--" + option + ": expected a whole number from " + std::to_string(lowest) +
                      " to " + std::to_string(highest) + ", found " + shortened(found));
  }
  value = *count;
}

void add_launch_options(const ParsedOptions& given, CommandLine& line) {
  constexpr std::uint32_t kMostRanks = 65536;
  constexpr std::uint32_t kMostRestarts = 1'000'000;
  read_count(given, "workers", 1, kMostRanks, line.launch.workers);
  read_count(given, "spares", 0, kMostRanks, line.launch.spares);
  read_count(given, "restarts", 0, kMostRestarts, line.launch.restarts);
  line.launch.resume_dir = line.run.resume_dir;
  pass_on(given.typed, line.launch);
}

// For mpirun: what stands behind `--`.
void add_mpirun_options(Arguments behind, const CommandEntry& entry, CommandLine& line) {
  if (!starts_mpirun(entry)) {
    throw ConfigError(std::string(entry.words) + " takes nothing behind --");
  }
  line.launch.mpirun_options = {behind.begin(), behind.end()};
}

void add_command(const ParsedOptions& given, const CommandEntry& entry, Arguments rest,
                 CommandLine& line) {
  line.command = &entry;
  line.given = given;
  line.arguments = arguments_of(entry, rest);
  refuse_unread(entry, given);
  add_settings(given, line);
  add_run_options(given, entry, line);
  line.is_verbose = given.has_flag("verbose");
  if (starts_mpirun(entry)) add_launch_options(given, line);
}

}  // namespace

CommandLine parse_command_line(Arguments all_arguments) {
  const auto dashes = std::ranges::find(all_arguments, "--");
  const Arguments arguments(all_arguments.begin(), dashes);
  const ParsedOptions given = parse_options(arguments);
  CommandLine line;
  line.run.argv = {arguments.begin(), arguments.end()};
  std::vector<std::string> words = given.words();
  if (given.has("help") || given.has("version")) {
    line.command = &find_command(std::vector<std::string>{given.has("help") ? "help" : "version"});
    line.arguments = words;
    return line;
  }
  if (words.empty()) words.emplace_back("train");
  const CommandEntry& entry = find_command(words);
  add_command(given, entry, Arguments(words).subspan(n_words_of(entry)), line);
  if (dashes != all_arguments.end()) {
    add_mpirun_options(Arguments(std::next(dashes), all_arguments.end()), entry, line);
  }
  return line;
}

}  // namespace lipizz::app
