#include "app/commands.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "app/columns.hpp"
#include "app/command_line.hpp"
#include "app/config_check.hpp"
#include "app/help_text.hpp"
#include "app/launch.hpp"
#include "app/launcher.hpp"
#include "app/load_experiment.hpp"
#include "app/model_tables.hpp"
#include "app/registries.hpp"
#include "app/tune.hpp"
#include "config/json.hpp"
#include "config/reference.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "master/resumption.hpp"
#include "master/run_folder.hpp"
#include "setup/operators.hpp"
#include "setup/resolve.hpp"
#include "setup/setting_rules.hpp"

namespace lipizz::app {
namespace {

constexpr int kDone = static_cast<int>(ExitCode::kDone);

config::Experiment experiment_of(const CommandLine& line) {
  return load_experiment(line, std::getenv("LIPIZZ_DATA_DIR"));
}

config::Experiment checked_experiment(const CommandLine& line) {
  const config::Experiment experiment = experiment_of(line);
  validate_naming(experiment, file_of_settings(line));
  return experiment;
}

std::string details(const std::string& kind) {
  if (!kind.empty() && find_listed(kind).name == "models") return model_tables();
  throw ConfigError("--verbose: expected `list models`, which alone has more to show");
}

std::string list(const std::string& kind, bool is_verbose) {
  if (is_verbose) return details(kind);
  if (!kind.empty()) return columns(find_listed(kind).entries());
  return columns(setup::entries_of(listed_registries()));
}

// The text that a command other than training prints.
std::string output_of(const CommandLine& line) {
  switch (line.command) {
    case Command::kHelp:
      return help_text(line.topic);
    case Command::kVersion:
      return "lipizz " LIPIZZ_VERSION "\n";
    case Command::kCheckConfig:
      return check_config_file(line.arguments.front());
    case Command::kPrintConfig:
      return config::to_json(checked_experiment(line));
    case Command::kReference:
      return config::reference_page(setup::operator_tables());
    case Command::kList:
      return list(line.arguments.empty() ? "" : line.arguments.front(), line.is_verbose);
    case Command::kTrain:
    case Command::kLaunch:
    case Command::kTune:
      break;
  }
  throw InternalError("this command says itself what it does");
}

int print(const std::string& text, std::ostream& out) {
  if (launcher_rank().value_or(0) != 0) return kDone;
  if (!(out << text << std::flush)) throw ConfigError("cannot write to the standard output");
  return kDone;
}

int launch(const CommandLine& line) {
  if (is_rank_of_mpirun()) {
    throw ConfigError(
        "launch starts mpirun itself; start it without mpirun, or train on the ranks that mpirun "
        "has started with lipizz train");
  }
  const config::Experiment experiment = checked_experiment(line);
  const std::filesystem::path& resumed = line.run.resume_dir;
  std::filesystem::path output = line.run.output_dir;
  if (output.empty()) {
    output = master::default_output_dir(experiment.name, std::chrono::system_clock::now(),
                                        name_of_process());
  }
  const std::filesystem::path run =
      resumed.empty() ? master::check_run_folder(output) : master::existing_run_folder(resumed);
  return launch(line.launch, experiment, run, line.run.time_limit_s, [](const std::string& text) {
    std::fprintf(stderr, "lipizz: %s\n", text.c_str());
  });
}

// Measuring takes minutes, and all of it would be lost.
void expect_writable(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::exists(file, none)) {
    throw ConfigError("tune: " + file.string() + " exists; name a file that does not");
  }
  try {
    const AtomicFile probe(file);
  } catch (const CheckpointError& error) {
    throw ConfigError(std::string("tune: ") + error.what());
  }
}

int tune(const CommandLine& line, std::ostream& out) {
  if (launcher_rank()) throw ConfigError("tune measures in one process; start it without mpirun");
  const std::filesystem::path file = line.arguments.front();
  expect_writable(file);
  const config::Experiment experiment = experiment_of(line);
  setup::check_settings(experiment);  // the model may be for other samples
  const nn::ConvolutionTable table =
      tuned(setup::resolved(experiment), seconds_of,
            [&](const std::string& text) { out << text << std::endl; });
  const std::string text = table.to_json();
  write_atomically(file, text);
  return kDone;
}

}  // namespace

int run(std::span<const std::string> arguments, const Trainer& train, std::ostream& out) {
  // A person who types no more wants to know what this is; a script that means a training is told
  // that there was none.
  if (arguments.empty() && !launcher_rank()) {
    print(introduction(), out);
    return static_cast<int>(ExitCode::kUsage);
  }
  CommandLine line;
  std::string output;
  try {
    line = parse_command_line(arguments);
    if (line.command == Command::kLaunch) return launch(line);
    if (line.command == Command::kTune) return tune(line, out);
    if (line.command != Command::kTrain) output = output_of(line);
  } catch (const Error& error) {
    if (!launcher_rank()) throw;
    return train([error]() -> config::Experiment { throw error; }, {});
  }
  if (line.command != Command::kTrain) return print(output, out);
  return train([&line] { return checked_experiment(line); }, line.run);
}

}  // namespace lipizz::app
