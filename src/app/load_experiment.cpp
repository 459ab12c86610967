#include "app/load_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/experiment_file.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "data/dataset.hpp"

namespace lipizz::app {
namespace {

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
  if (experiment.data.dir.empty() || used == data::datasets().end() || !used->is_built_in) return;
  throw ConfigError("--data-dir: the dataset " + experiment.data.dataset +
                    " is built in and reads no folder; name the one to learn with --dataset "
                    "(`lipizz list datasets`), or leave --data-dir out");
}

}  // namespace

config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir) {
  config::Experiment experiment;
  const std::filesystem::path& resumed = line.run.resume_dir;
  if (!line.config_file.empty()) {
    config::apply_file(find_experiment_file(line.config_file), experiment);
  }
  if (!resumed.empty()) config::apply_file(resumed / "config.json", experiment);
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
  if (!resumed.empty()) config::expect_unchanged_settings(started, experiment);
  return experiment;
}

}  // namespace lipizz::app
