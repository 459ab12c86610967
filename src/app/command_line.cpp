#include "app/command_line.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <iomanip>
#include <sstream>

#include "app/time_limit.hpp"
#include "config/fields.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

namespace po = boost::program_options;

// Where the library puts what is no option; not a name that one could type as an option.
constexpr const char* kWords = "command and its words";

// Options that stand for one setting each, and are described by it.
struct SettingOption {
  const char* name;
  const char* argument;
  const char* path;
};
constexpr std::array kSettingOptions{
    SettingOption{"dataset", "NAME", "data.dataset"},
    SettingOption{"data-dir", "DIR", "data.dir"},
    SettingOption{"generations", "N", "generations"},
    SettingOption{"seed", "N", "seed"},
    SettingOption{"device", "NAME", "device"},
    SettingOption{"checkpoint-every", "TIME|N", "checkpoint.every"},
};

// The options that a command reads, beside --help and --version.
struct CommandEntry {
  Command command;
  const char* words;
  const char* argument;  // shown in the help; in brackets when it may be missing
  const char* summary;
  bool reads_experiment;
  bool reads_run_options;
  bool reads_launch_options = false;
  bool reads_list_options = false;
};
constexpr std::array kCommands{
    CommandEntry{Command::kTrain, "train", "", "Trains a grid; `lipizz` alone does so too.", true,
                 true},
    CommandEntry{Command::kLaunch, "launch", "[-- MPIRUN OPTIONS]",
                 "Trains under mpirun, and starts it again when it dies.", true, true, true},
    CommandEntry{Command::kCheckConfig, "config check", "FILE", "Says whether FILE is valid.",
                 false, false},
    CommandEntry{Command::kPrintConfig, "config print", "", "Prints the effective configuration.",
                 true, false},
    CommandEntry{Command::kReference, "config reference", "", "Prints docs/configuration.md.",
                 false, false},
    CommandEntry{Command::kTune, "tune", "FILE",
                 "Measures the model's convolutions and writes FILE for convolution_table.", true,
                 false},
    CommandEntry{Command::kList, "list", "[KIND]",
                 "Lists what settings can name; without KIND, the kinds.", false, false, false,
                 true},
};

std::size_t n_words_of(const CommandEntry& entry) {
  const std::string_view words = entry.words;
  return 1 + static_cast<std::size_t>(std::ranges::count(words, ' '));
}

std::string description_of(const SettingOption& option) {
  config::Experiment defaults;
  const std::vector<config::Field> fields = config::fields(defaults);
  const config::Field& field = *std::ranges::find(fields, option.path, &config::Field::path);
  return std::string(field.summary) + " Default: " + config::value_text(field);
}

std::string grid_description() {
  const config::Grid grid;
  return "Rows and columns of the grid. Default: " + std::to_string(grid.rows) + "x" +
         std::to_string(grid.columns);
}

po::options_description experiment_options() {
  po::options_description options("The experiment");
  auto add = options.add_options();
  add("config", po::value<std::string>()->value_name("FILE"), "Reads settings from a JSON file.");
  add("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "Changes one setting, for example generator.loss=mse; repeatable. `lipizz list settings` has "
      "all.");
  add("grid", po::value<std::string>()->value_name("RxC"), grid_description().c_str());
  for (const SettingOption& option : kSettingOptions) {
    add(option.name, po::value<std::string>()->value_name(option.argument),
        description_of(option).c_str());
  }
  return options;
}

po::options_description run_options() {
  po::options_description options("The run");
  auto add = options.add_options();
  add("output", po::value<std::string>()->value_name("DIR"),
      "The run's folder, which must not exist yet. Default: runs/NAME-TIME");
  add("resume", po::value<std::string>()->value_name("RUN"),
      "Goes on with the run in this folder, on whatever ranks there are. Of its settings only "
      "--generations and those that change no result may be given.");
  add("time-limit", po::value<std::string>()->value_name("TIME"),
      "Saves everything and leaves in time, with exit code 75: seconds, MM:SS, HH:MM:SS or "
      "D-HH:MM:SS. Default: what is left of a Slurm job.");
  add("dry-run", po::bool_switch(),
      "Prints placement and an estimate of memory, and trains nothing.");
  add("quiet", po::bool_switch(), "Prints no progress.");
  return options;
}

po::options_description launch_options() {
  po::options_description options("Launching");
  auto add = options.add_options();
  add("workers", po::value<std::uint32_t>()->value_name("N"),
      "Ranks that train. Default: one for each cell, or each GPU, or what the job has room for");
  add("spares", po::value<std::uint32_t>()->value_name("N"), "Ranks that wait. Default: 0");
  add("restarts", po::value<std::uint32_t>()->value_name("N"),
      "How often a job that died is started again. Default: 3");
  return options;
}

po::options_description list_options() {
  po::options_description options("Listing");
  options.add_options()("verbose", po::bool_switch(),
                        "Of models, shows their layers, costs and memory.");
  return options;
}

po::options_description general_options() {
  po::options_description options("General");
  options.add_options()("help,h", "Prints this.")("version", "Prints the version.");
  return options;
}

po::options_description all_options() {
  po::options_description all;
  all.add(experiment_options()).add(run_options()).add(launch_options());
  all.add(list_options()).add(general_options());
  return all;
}

std::vector<std::string> long_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

// The values, and each option as it was typed.
struct Parsed {
  po::variables_map values;
  std::vector<po::option> typed;
};

Parsed parse(std::span<const std::string> arguments) {
  po::options_description options = all_options();
  options.add_options()(kWords, po::value<std::vector<std::string>>());
  po::positional_options_description words;
  words.add(kWords, -1);
  try {
    // Guessing would accept a misspelt option that happens to start like a known one.
    const auto typed =
        po::command_line_parser({arguments.begin(), arguments.end()})
            .options(options)
            .positional(words)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run();
    Parsed parsed;
    po::store(typed, parsed.values);
    parsed.typed = typed.options;
    return parsed;
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    throw ConfigError("there is no option " + name + suggestion(name, long_names(all_options())) +
                      "; `lipizz --help` lists all");
  } catch (const po::error& error) {
    throw ConfigError(std::string(error.what()) + "; see `lipizz --help`");
  }
}

const CommandEntry& find_command(std::span<const std::string> words) {
  std::vector<std::string> known;
  for (const CommandEntry& entry : kCommands) {
    const std::size_t n_words = std::min(n_words_of(entry), words.size());
    if (join(words.first(n_words), " ") == entry.words) return entry;
    known.emplace_back(entry.words);
  }
  const std::string one = words.front();
  const std::string two = join(words.first(std::min<std::size_t>(words.size(), 2)), " ");
  const auto distance = [&](const std::string& asked) {
    return edit_distance(asked, nearest(asked, known));
  };
  const std::string& asked = distance(two) < distance(one) ? two : one;
  throw ConfigError("there is no command \"" + asked + "\"" + suggestion(asked, known));
}

std::string argument_of(const CommandEntry& entry, std::span<const std::string> words) {
  const std::string_view wanted = entry.argument;
  const std::size_t n_allowed = wanted.empty() || wanted.starts_with("[--") ? 0 : 1;
  const std::string command = entry.words;
  if (words.size() > n_allowed) {
    throw ConfigError(command + ": unexpected argument \"" + words[n_allowed] + "\"");
  }
  if (words.empty() && n_allowed == 1 && !wanted.starts_with('[')) {
    throw ConfigError(command + ": expected " + entry.argument);
  }
  return words.empty() ? std::string() : words.front();
}

void refuse_unread(const CommandEntry& entry, const po::variables_map& values) {
  const auto refuse = [&](const po::options_description& group) {
    for (const auto& option : group.options()) {
      const auto given = values.find(option->long_name());
      if (given == values.end() || given->second.defaulted()) continue;
      throw ConfigError(std::string(entry.words) + " does not take --" + option->long_name());
    }
  };
  if (!entry.reads_experiment) refuse(experiment_options());
  if (!entry.reads_run_options) refuse(run_options());
  if (!entry.reads_launch_options) refuse(launch_options());
  if (!entry.reads_list_options) refuse(list_options());
}

std::string text_of(const po::variables_map& values, const std::string& name) {
  return values.count(name) == 0 ? std::string() : values[name].as<std::string>();
}

std::vector<std::string> list_of(const po::variables_map& values, const std::string& name) {
  return values.count(name) == 0 ? std::vector<std::string>()
                                 : values[name].as<std::vector<std::string>>();
}

// ROWSxCOLUMNS; whether the two are numbers in range is for the settings to say.
void add_grid(const std::string& grid, CommandLine& line) {
  const std::size_t x = grid.find('x');
  if (x == std::string::npos || x == 0 || x + 1 == grid.size()) {
    throw ConfigError("--grid: expected ROWSxCOLUMNS, for example 4x4; found \"" + grid + "\"");
  }
  line.options.push_back({"--grid rows", "grid.rows", grid.substr(0, x)});
  line.options.push_back({"--grid columns", "grid.columns", grid.substr(x + 1)});
}

void add_options(const po::variables_map& values, CommandLine& line) {
  line.config_file = text_of(values, "config");
  line.overrides = list_of(values, "set");
  if (values.count("grid") != 0) add_grid(text_of(values, "grid"), line);
  for (const SettingOption& option : kSettingOptions) {
    if (values.count(option.name) == 0) continue;
    const std::string name = std::string("--") + option.name;
    line.options.push_back({name, option.path, text_of(values, option.name)});
  }
  line.run.output_dir = text_of(values, "output");
  line.run.resume_dir = text_of(values, "resume");
  if (values.count("time-limit") != 0) {
    line.run.time_limit_s = duration_s(text_of(values, "time-limit"));
  }
  if (!line.run.resume_dir.empty() && !(line.config_file.empty() && line.run.output_dir.empty())) {
    throw ConfigError(
        "--resume goes on in the run's own folder, with its own configuration; give "
        "neither --config nor --output");
  }
  line.run.quiet = values["quiet"].as<bool>();
  line.run.dry_run = values["dry-run"].as<bool>();
  line.is_verbose = values["verbose"].as<bool>();
}

// What the started program gets: everything but what is launch's own, or changes from start to
// start.
void add_launch_options(const po::variables_map& values, const std::vector<po::option>& typed,
                        CommandLine& line) {
  const auto number = [&](const char* name, std::uint32_t& value) {
    if (values.count(name) != 0) value = values[name].as<std::uint32_t>();
  };
  number("workers", line.launch.workers);
  number("spares", line.launch.spares);
  number("restarts", line.launch.restarts);
  line.launch.resume_dir = line.run.resume_dir;
  const po::options_description experiment = experiment_options();
  for (const po::option& option : typed) {
    const std::vector<std::string>& tokens = option.original_tokens;
    if (experiment.find_nothrow(option.string_key, false) != nullptr) {
      line.launch.training.insert(line.launch.training.end(), tokens.begin(), tokens.end());
    }
    if (option.string_key == "quiet") line.launch.watching.emplace_back("--quiet");
  }
  if (line.run.dry_run) throw ConfigError("launch does not take --dry-run; lipizz does");
}

}  // namespace

CommandLine parse_command_line(std::span<const std::string> all_arguments) {
  const auto behind = std::ranges::find(all_arguments, "--");
  const auto arguments = all_arguments.first(
      static_cast<std::size_t>(std::ranges::distance(all_arguments.begin(), behind)));
  const auto [values, typed] = parse(arguments);
  CommandLine line;
  line.run.argv = {arguments.begin(), arguments.end()};
  if (values.count("help") + values.count("version") != 0) {
    line.command = values.count("help") != 0 ? Command::kHelp : Command::kVersion;
    return line;
  }
  std::vector<std::string> words = list_of(values, kWords);
  if (words.empty()) words.emplace_back("train");
  const CommandEntry& entry = find_command(words);
  line.command = entry.command;
  line.argument = argument_of(entry, std::span(words).subspan(n_words_of(entry)));
  refuse_unread(entry, values);
  add_options(values, line);
  if (entry.command == Command::kLaunch) {
    add_launch_options(values, typed, line);
    if (behind != all_arguments.end()) {
      line.launch.mpirun_options = {std::next(behind), all_arguments.end()};
    }
  } else if (behind != all_arguments.end()) {
    throw ConfigError(std::string(entry.words) + " takes nothing behind --");
  }
  return line;
}

config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir) {
  config::Experiment experiment;
  const std::filesystem::path& resumed = line.run.resume_dir;
  if (!line.config_file.empty()) config::apply_file(line.config_file, experiment);
  if (!resumed.empty()) config::apply_file(resumed / "config.json", experiment);
  const config::Experiment started = experiment;
  for (const std::string& assignment : line.overrides) {
    config::apply_assignment(assignment, experiment);
  }
  for (const CommandLine::Option& option : line.options) {
    config::apply_value(option.path, option.value, option.name, experiment);
  }
  if (experiment.data.dir.empty() && environment_data_dir != nullptr) {
    config::apply_value("data.dir", environment_data_dir, "LIPIZZ_DATA_DIR", experiment);
  }
  if (!resumed.empty()) config::check_lineage(started, experiment);
  return experiment;
}

std::string help_text() {
  std::ostringstream text;
  text << "lipizz: cellular coevolutionary GAN training\n\n"
          "  mpirun -np 17 lipizz --grid 4x4    sixteen workers and a master\n"
          "  lipizz --grid 4x4                  the same on threads of one process\n\n"
          "Commands:\n";
  for (const CommandEntry& entry : kCommands) {
    const std::string usage = std::string(entry.words) + " " + entry.argument;
    text << "  " << std::left << std::setw(24) << usage << entry.summary << "\n";
  }
  text << all_options();
  return text.str();
}

}  // namespace lipizz::app
