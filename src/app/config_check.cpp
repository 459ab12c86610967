#include "app/config_check.hpp"

#include "app/experiment_file.hpp"
#include "app/registries.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "data/dataset.hpp"
#include "nn/base/precision.hpp"
#include "nn/exec/devices.hpp"
#include "setup/engine.hpp"
#include "setup/resolve.hpp"
#include "setup/validate.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

// The error of validating what the file alone says; empty where it is valid, and where it cannot be
// read again, as a pipe.
std::string complaint_about(const fs::path& file) {
  config::Experiment alone;
  try {
    config::apply_file(file, alone);
  } catch (const ConfigError&) {
    return {};
  }
  try {
    setup::validate(alone);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

[[noreturn]] void fail_naming(const fs::path& file, const ConfigError& error) {
  throw ConfigError(file.string() + ": " + error.what());
}

}  // namespace

void check_without_machine(const config::Experiment& experiment) {
  setup::validate(experiment);
  static_cast<void>(setup::convolutions_of(experiment));
  const config::Compute& compute = experiment.compute;
  if (compute.device != "auto") {
    nn::check_precision(compute.device, nn::parse_precision(compute.precision));
  }
  const config::Data& data = experiment.data;
  if (data::find_dataset(data.dataset).origin != data::Origin::kBuiltIn) return;
  const data::Description about = data::describe_dataset(data.dataset, {});
  setup::check_samples(experiment, about.n_train_within(data.max_samples));
}

void validate_naming(const config::Experiment& experiment, const fs::path& file) {
  try {
    setup::validate(experiment);
  } catch (const ConfigError& error) {
    if (!file.empty() && complaint_about(file) == error.what()) fail_naming(file, error);
    throw;
  }
}

std::string check_config_file(const fs::path& file) {
  config::Experiment experiment;
  const fs::path found = find_experiment_file(file);
  config::apply_file(found, experiment);
  try {
    check_without_machine(experiment);
  } catch (const ConfigError& error) {
    fail_naming(found, error);
  }
  return file.string() + ": valid, " + described(experiment) + "\n";
}

}  // namespace lipizz::app
