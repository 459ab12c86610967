#include "setup/run_plan.hpp"

#include <utility>

#include "config/json.hpp"
#include "core/hash.hpp"
#include "nn/base/precision.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "setup/agreement/agreement.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/engine.hpp"

namespace lipizz::setup {
namespace {

using Inventory = std::span<const comm::InventoryEntry>;

// Fills in every setting that ranks decide on together; returns the notes.
std::vector<std::string> settle(config::Experiment& experiment, Inventory inventory) {
  const std::string numerics = agreed_numerics(inventory, experiment.compute.numerics);
  const auto [device, note] = agreed_device(inventory, experiment.compute.device);
  nn::check_precision(device, nn::parse_precision(experiment.compute.precision));
  experiment.compute.device = device;
  const nn::Engine engine = engine_of(experiment, numerics, nn::ConvolutionTable::committed());
  nn::check_bf16(engine);
  experiment.compute.numerics = to_string(engine.level);
  experiment.compute.placement = agreed_placement(experiment.compute.placement, device);
  return note.empty() ? std::vector<std::string>() : std::vector<std::string>{note};
}

}  // namespace

Agreement agree(Inventory inventory, config::Experiment experiment, const RunMode& mode) {
  check_agreement(inventory);
  check_number_of_ranks(inventory.size(), experiment.compute.ranks_per_cell);
  std::vector<std::string> notes = settle(experiment, inventory);
  const nn::ConvolutionTable convolutions = convolutions_of(experiment);
  experiment.compute.convolution_table_hash = to_hex(convolutions.hash());
  comm::RunPlan run_plan;
  if (!experiment.compute.convolution_table.empty())
    run_plan.convolution_table = convolutions.to_json();
  run_plan.experiment = config::to_json(experiment);
  run_plan.numerics = experiment.compute.numerics;
  for (const comm::InventoryEntry& entry : inventory) run_plan.hosts.push_back(entry.host);
  run_plan.devices = dealt_devices(inventory, experiment.compute.device);
  run_plan.go = !mode.is_dry_run;
  run_plan.asks_for_speed = run_plan.go && experiment.compute.placement == "measured";
  run_plan.survives_losses = mode.survives_losses;
  run_plan.ranks_per_cell = experiment.compute.ranks_per_cell;
  return {std::move(experiment), std::move(run_plan), std::move(notes)};
}

}  // namespace lipizz::setup
