#include "app/rank_setup.hpp"

#include <cstdint>

#include "config/json.hpp"
#include "core/diagnosis.hpp"
#include "setup/inventory.hpp"
#include "setup/resolve.hpp"

namespace lipizz::app {

RankSetup prepare_rank(const LoadExperiment& load) {
  RankSetup setup;
  try {
    const config::Experiment given = load();
    setup.experiment = setup::resolved(given);
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
