#pragma once

#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "setup/run_plan.hpp"

namespace lipizz::app {

/// The same experiment with the layout that `layout` "auto" asks for (setup/layout.hpp), by the
/// ranks, the cores and the memory of the inventory; a note says which and why. Where none fits
/// into memory it is the one that lacks least. Unchanged where the layout is given. Throws what
/// setup::agree() throws. `experiment` is the master's, its model and engine resolved.
config::Experiment with_chosen_layout(config::Experiment experiment,
                                      std::span<const comm::InventoryEntry> inventory,
                                      const setup::RunMode& mode, std::vector<std::string>& notes);

}  // namespace lipizz::app
