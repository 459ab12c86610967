#include "app/rank_setup.hpp"

#include <cstdint>

#include "config/json.hpp"
#include "core/error.hpp"
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
  const auto* const error = dynamic_cast<const Error*>(&failure);
  entry.exit_code = static_cast<std::int32_t>(error ? error->code() : ExitCode::kInternal);
  entry.error = failure.what();
}

}  // namespace lipizz::app
