#include "app/rank_setup.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "config/json.hpp"
#include "core/diagnosis.hpp"
#include "setup/inventory.hpp"
#include "setup/resolve.hpp"

namespace lipizz::app {

namespace {

void make_absolute(std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  if (!path.empty() && !failure) path = absolute.lexically_normal().string();
}

// A run is resumed from other folders than the one that it was started in.
config::Experiment with_absolute_paths(config::Experiment experiment) {
  make_absolute(experiment.data.dir);
  make_absolute(experiment.data.own.path);
  make_absolute(experiment.compute.convolution_table);
  return experiment;
}

}  // namespace

RankSetup prepare_rank(const LoadExperiment& load) {
  RankSetup setup;
  try {
    const config::Experiment given = load();
    setup.experiment = with_absolute_paths(setup::resolved(given));
    setup.entry = setup::inventory_of_this_process(setup.experiment, config::hash(given));
  } catch (const std::exception& failure) {
    record_failure(setup.entry, failure);
  }
  return setup;
}

void record_failure(comm::InventoryEntry& entry, const std::exception& failure) {
  const Diagnosis diagnosis = diagnosis_of(failure);
  entry.exit_code = static_cast<std::int32_t>(diagnosis.code);
  entry.error = diagnosis.message;
}

}  // namespace lipizz::app
