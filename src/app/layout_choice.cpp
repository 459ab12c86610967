#include "app/layout_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/memory_estimate.hpp"
#include "core/text.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/layout.hpp"
#include "setup/memory_fit.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

using Inventory = std::span<const comm::InventoryEntry>;

std::vector<setup::MemoryFit> fits_with(const config::Experiment& experiment, Inventory inventory,
                                        const setup::RunMode& mode, const setup::Layout& layout) {
  setup::Agreement agreement =
      setup::agree(inventory, setup::with_layout(experiment, layout), mode);
  agreement.run_plan.rank_of_cell =
      setup::place_cells(inventory, setup::torus_of(agreement.experiment), layout.ranks_per_cell);
  return memory_fits(agreement.experiment, agreement.run_plan, inventory);
}

std::uint32_t n_cells_of(const config::Experiment& experiment) {
  return setup::torus_of(experiment).cells();
}

// Says why cells have no more ranks than one.
std::string why_alone(const setup::ChosenLayout& chosen, const config::Experiment& experiment,
                      const setup::Ranks& ranks) {
  if (experiment.compute.device != "cpu") return "; layouts are chosen for processors alone";
  if (chosen.n_that_do_not_fit > 0) return "";
  if (ranks.n <= n_cells_of(experiment)) return "; there is none beyond a worker for each cell";
  const config::MicroBatches fewest = config::fewest_micro_batches(experiment);
  if (fewest.n == 1) return "; with more " + fewest.setting + " they could share them";
  if (!chosen.had_choice) {
    return fmt::format(
        "; {} ranks do not come out even for {} in {} micro-batches: start a multiple of the cells",
        ranks.n, counted(n_cells_of(experiment), "cell"), fewest.n);
  }
  return fmt::format("; sharing cells out among {} on {} is not expected to be faster",
                     counted(ranks.n, "rank"), counted(ranks.n_cores, "core"));
}

std::string text_of(const setup::ChosenLayout& chosen, const config::Experiment& experiment,
                    const setup::Ranks& ranks) {
  const std::uint32_t n = chosen.layout.ranks_per_cell;
  std::string text = "layout: auto chose " + setup::to_string(chosen.layout);
  text += n == 1 ? why_alone(chosen, experiment, ranks)
                 : fmt::format(
                       "; training is expected to be {:.1f} times as fast as on one to a "
                       "cell",
                       chosen.speed);
  if (chosen.n_that_do_not_fit > 0) {
    text += fmt::format("; {} that would be faster {} more memory than there is",
                        chosen.n_that_do_not_fit, chosen.n_that_do_not_fit == 1 ? "needs" : "need");
  }
  const std::uint32_t n_workers = ranks.n / n;
  const std::uint32_t n_cells = n_cells_of(experiment);
  if (n_workers > n_cells) {
    text += fmt::format("; {} of {} ranks are spares", (n_workers - n_cells) * n, ranks.n);
  }
  return text;
}

}  // namespace

config::Experiment with_chosen_layout(config::Experiment experiment, Inventory inventory,
                                      const setup::RunMode& mode, std::vector<std::string>& notes) {
  if (experiment.compute.layout != "auto") return experiment;
  const setup::Agreement alone = setup::agree(inventory, setup::with_layout(experiment, {}), mode);
  const Inventory workers = inventory.subspan(1);
  const setup::Ranks ranks{.n = static_cast<std::uint32_t>(workers.size()),
                           .n_cores = setup::cores_of(workers)};
  setup::Layout least;
  double least_shortage = std::numeric_limits<double>::infinity();
  const auto fits = [&](const setup::Layout& layout) {
    double shortage = 0;
    bool is_enough = true;
    for (const setup::MemoryFit& fit : fits_with(alone.experiment, inventory, mode, layout)) {
      shortage = std::max(shortage, fit.shortage());
      is_enough = is_enough && !fit.is_too_little();
    }
    if (shortage < least_shortage) {
      least = layout;
      least_shortage = shortage;
    }
    return is_enough;
  };
  const auto chosen = setup::choose_layout(alone.experiment, ranks, fits);
  notes.push_back(chosen ? text_of(*chosen, alone.experiment, ranks)
                         : "layout: auto found none that fits into memory; the one that lacks "
                           "least has " +
                               setup::to_string(least));
  return setup::with_layout(std::move(experiment), chosen ? chosen->layout : least);
}

}  // namespace lipizz::app
