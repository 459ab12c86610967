#include "app/load_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/experiment_file.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
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

// The settings that the run had when it last saved something; nothing where that cannot be told.
std::optional<config::Experiment> saved_experiment(const std::filesystem::path& run) {
  constexpr std::uintmax_t kMostBytes = 1 << 20;
  try {
    const std::string text =
        read_text_file(run / "saved.json", "note of what is saved", kMostBytes);
    const auto note = nlohmann::ordered_json::parse(text);
    config::Experiment saved;
    config::apply_json(note.at("experiment").dump(), "saved.json", saved);
    return saved;
  } catch (const std::exception&) {
    return std::nullopt;  // checkpoints are held against the configuration's hash in any case
  }
}

void expect_unedited(const std::filesystem::path& run, const config::Experiment& experiment) {
  const auto saved = saved_experiment(run);
  if (!saved) return;
  try {
    config::expect_unchanged_settings(*saved, experiment);
  } catch (const ConfigError& error) {
    throw ConfigError((run / "config.json").string() + " was edited: " + error.what());
  }
}

}  // namespace

config::Experiment load_experiment(const CommandLine& line, const char* environment_data_dir) {
  config::Experiment experiment;
  const std::filesystem::path& resumed = line.run.resume_dir;
  if (!line.config_file.empty()) {
    config::apply_file(find_experiment_file(line.config_file), experiment);
  }
  if (!resumed.empty()) {
    config::apply_file(resumed / "config.json", experiment);
    expect_unedited(resumed, experiment);
  }
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
