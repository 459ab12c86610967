#include "app/load_experiment.hpp"

#include <filesystem>
#include <string>

#include "config/json.hpp"

namespace lipizz::app {

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

}  // namespace lipizz::app
