#include "app/load_experiment.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "app/config_check.hpp"
#include "app/experiment_file.hpp"
#include "app/launcher.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "master/run_folder.hpp"
#include "report/run_folders.hpp"
#include "setup/layout.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfiguration = "config.json";

// The run in this folder that was last written to; empty where there is none.
fs::path newest_run_in(const fs::path& folder) {
  fs::path newest;
  fs::file_time_type when{};
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (!master::has_begun(entry.path())) continue;
    const fs::file_time_type written = entry.last_write_time(none);
    if (!newest.empty() && written <= when) continue;
    newest = entry.path();
    when = written;
  }
  return newest;
}

void expect_run(fs::path path) {
  const std::string problem =
      "--resume " + shortened(path.string()) + ": expected the folder of a run, found ";
  if (report::is_ensemble_folder(path)) {
    throw ConfigError(problem + "an ensemble, which is not trained any further");
  }
  if (master::has_begun(path)) return;
  std::error_code reason;
  const fs::file_status status = fs::status(path, reason);
  if (!fs::exists(status)) {
    throw ConfigError(problem + (reason && reason != std::errc::no_such_file_or_directory
                                     ? "nothing that can be looked at: " + reason.message()
                                     : "none"));
  }
  if (!path.has_filename()) path = path.parent_path();
  const std::string what = fs::is_directory(status) ? "a folder" : "a file";
  fs::path above = path.parent_path();
  if (above.empty()) above = ".";
  if (master::has_begun(above)) {
    throw ConfigError(problem + what + " in one; type --resume " + above.string());
  }
  if (!fs::is_directory(status)) throw ConfigError(problem + what);
  const fs::path newest = newest_run_in(path);
  if (newest.empty()) throw ConfigError(problem + "a folder without " + kConfiguration);
  throw ConfigError(problem + "a folder of runs; type --resume and one of them, the newest is " +
                    newest.string());
}

// By each rank, or by each start of launch.
bool is_read_more_than_once(const CommandLine& line) {
  return starts_mpirun(*line.command) || launcher_rank();
}

void expect_to_last(const fs::path& file) {
  std::error_code none;
  const fs::file_status status = fs::status(file, none);
  if (!fs::is_fifo(status) && !fs::is_character_file(status)) return;
  throw ConfigError("--config " + file.string() +
                    ": expected a file, since every rank reads it; found what can be read once");
}

bool names_data_dir(const CommandLine& line) {
  const auto is_setting = [](const std::string& assignment) {
    return assignment.starts_with("data.dir=");
  };
  return std::ranges::find(line.options, "data.dir", &CommandLine::Option::path) !=
             line.options.end() ||
         std::ranges::any_of(line.overrides, is_setting);
}

// A folder is named so that its data are learnt.
void expect_reader_of_data_dir(const config::Experiment& experiment) {
  const auto used =
      std::ranges::find(data::datasets(), experiment.data.dataset, &data::DatasetEntry::name);
  if (experiment.data.dir.empty() || used == data::datasets().end() ||
      used->origin == data::Origin::kDataDir) {
    return;
  }
  if (used->origin == data::Origin::kPath) {
    throw ConfigError("--data-dir: the dataset " + experiment.data.dataset +
                      " is yours; name its folder or file with --data-path");
  }
  throw ConfigError("--data-dir: the dataset " + experiment.data.dataset +
                    " is built in and reads no folder; name the one to learn with --dataset "
                    "(`lipizz list datasets`), or leave --data-dir out");
}

// The settings that the run had when it last saved something; nothing where that cannot be told.
std::optional<config::Experiment> saved_experiment(const fs::path& run, std::uint32_t n_cells) {
  const auto noted = checkpoint::RunCheckpoints(run, n_cells).noted_experiment();
  if (!noted) return std::nullopt;
  config::Experiment saved;
  try {
    config::apply_json(*noted, "saved.json", saved);
  } catch (const ConfigError&) {
    return std::nullopt;  // checkpoints are held against the configuration's hash in any case
  }
  return saved;
}

void expect_unedited(const fs::path& run, const config::Experiment& experiment) {
  const auto saved = saved_experiment(run, setup::torus_of(experiment).cells());
  if (!saved) return;
  try {
    config::expect_unchanged_settings(*saved, experiment);
  } catch (const ConfigError& error) {
    throw ConfigError((run / kConfiguration).string() + " was edited: " + error.what());
  }
}

}  // namespace

fs::path file_of_settings(const CommandLine& line) {
  if (!line.run.resume_dir.empty()) return line.run.resume_dir / kConfiguration;
  return line.config_file.empty() ? fs::path() : find_experiment_file(line.config_file);
}

config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir) {
  config::Experiment experiment;
  const bool is_resumed = !line.run.resume_dir.empty();
  if (is_resumed) expect_run(line.run.resume_dir);
  const fs::path file = file_of_settings(line);
  if (!file.empty() && is_read_more_than_once(line)) expect_to_last(file);
  if (!file.empty()) config::apply_file(file, experiment);
  if (is_resumed) expect_unedited(line.run.resume_dir, experiment);
  const config::Experiment started = experiment;
  for (const std::string& assignment : line.overrides) {
    config::apply_assignment(assignment, experiment);
  }
  for (const CommandLine::Option& option : line.options) {
    config::apply_value(option.path, option.value, option.name, experiment);
  }
  if (names_data_dir(line)) expect_reader_of_data_dir(experiment);
  if (experiment.data.dir.empty() && environment_data_dir != nullptr) {
    config::apply_value("data.dir", environment_data_dir, "LIPIZZ_DATA_DIR", experiment);
  }
  if (is_resumed) config::expect_unchanged_settings(started, experiment);
  if (experiment.compute.layout != "auto") return experiment;
  if (setup::layout_of(experiment) != setup::layout_of(started)) {
    throw ConfigError(
        "layout: auto chooses ranks_per_cell, pipeline.stages, generator.zero and "
        "discriminator.zero; leave them out, or say --set layout=given");
  }
  // A file may tell what an earlier start chose.
  return setup::with_layout(std::move(experiment), {});
}

config::Experiment checked_experiment(const CommandLine& line) {
  const config::Experiment experiment = load_experiment(line, std::getenv("LIPIZZ_DATA_DIR"));
  validate_naming(experiment, file_of_settings(line));
  return experiment;
}

}  // namespace lipizz::app
