#include "setup/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "coev/settings.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/train/step_cost.hpp"
#include "setup/engine.hpp"
#include "setup/model.hpp"
#include "setup/setting_rules.hpp"
#include "setup/settings.hpp"

namespace lipizz::setup {
namespace {

// Messages between processes of a host take so many operations of a core, as it was measured
// (bench/README.md, "Ranks of a cell"): an element that is sent is moved some 24 times until it is
// added up elsewhere, and a wait for another rank, with what makes parts unequal, takes 0.2 ms.
constexpr double kPerElement = 384;
constexpr double kPerWait = 2e7;

constexpr std::uint32_t kMostRanks = 256;  // to a cell, as settings have it

// The operations of a step, and what a layout adds to them, as one rank's operations.
double step_cost(const coev::Settings& settings, coev::NetworkRole role, const nn::Engine& engine,
                 const nn::PipelineSpec& spec, std::uint32_t n_ranks) {
  const auto cost_of =
      role == coev::NetworkRole::kGenerator ? nn::generator_step_cost : nn::discriminator_step_cost;
  double computed = 0;
  double exchanged = 0;
  double bubble = 0;
  for (std::uint32_t stage = 0; stage < spec.n_stages; ++stage) {
    nn::NoCell cell(n_ranks, stage, spec);
    const nn::StepCost cost = cost_of(n_ranks > 1 ? cell.engine(engine) : engine, settings.model,
                                      coev::network_settings(settings, role).optimizer,
                                      settings.batch_size, coev::step_options(settings, role));
    computed += static_cast<double>(cost.graph.operations) / spec.n_stages;
    exchanged = std::max(exchanged, kPerElement * static_cast<double>(cost.graph.sent) +
                                        kPerWait * static_cast<double>(cost.graph.waits));
    bubble = cost.bubble;
  }
  const std::uint32_t n_replicas = n_ranks / spec.n_stages;
  const double n_own =
      (coev::network_settings(settings, role).n_micro_batches + n_replicas - 1) / n_replicas;
  const double n_in_turn = std::ceil(n_own / engine.n_threads);
  return computed / (1 - bubble) * n_in_turn / n_own + exchanged;
}

bool is_allowed(const config::Experiment& experiment) {
  try {
    check_settings(experiment);
  } catch (const ConfigError&) {
    return false;
  }
  return true;
}

// Layouts of the experiment on these ranks, by what they are expected to take.
class Candidates {
 public:
  Candidates(const config::Experiment& experiment, const Ranks& ranks,
             bool leaves_each_cell_a_worker)
      : experiment_(experiment), ranks_(ranks) {
    const std::size_t most_of_pipeline = most_stages(experiment, model_of(experiment));
    const std::uint32_t n_cells = torus_of(experiment).cells();
    // It is known of processors alone how long steps take.
    const std::uint32_t most = experiment.compute.device == "cpu" ? kMostRanks : 1;
    for (std::uint32_t n = 1; n <= std::min(ranks.n, most); ++n) {
      const bool is_for_all = n == 1 || ranks.n / n >= n_cells;
      if (ranks.n % n != 0 || is_for_all != leaves_each_cell_a_worker) continue;
      for (std::uint32_t stages = 1; stages <= std::min<std::size_t>(n, most_of_pipeline);
           ++stages) {
        if (n % stages == 0) add({.ranks_per_cell = n, .stages = stages});
      }
    }
  }

  [[nodiscard]] std::size_t n() const { return by_cost_.size(); }

  std::pair<double, Layout> take_fastest() { return by_cost_.extract(by_cost_.begin()).value(); }

  /// The same with more shared out, which takes no less time.
  void add_stages_of_zero(const Layout& layout) {
    for (std::uint32_t g = 1; g <= 3; ++g) {
      for (std::uint32_t d = 1; d <= 3; ++d) {
        if (g > 1 || d > 1) add({layout.ranks_per_cell, layout.stages, g, d});
      }
    }
  }

 private:
  void add(const Layout& layout) {
    if (!is_allowed(with_layout(experiment_, layout))) return;
    by_cost_.emplace(batch_cost(experiment_, layout, ranks_), layout);
  }

  const config::Experiment& experiment_;
  Ranks ranks_;
  std::set<std::pair<double, Layout>> by_cost_;
};

bool can_share_more_out(const Layout& layout) {
  return layout.ranks_per_cell > layout.stages && layout.generator_zero == 1 &&
         layout.discriminator_zero == 1;
}

}  // namespace

config::Experiment with_layout(config::Experiment experiment, const Layout& layout) {
  experiment.compute.ranks_per_cell = layout.ranks_per_cell;
  experiment.compute.pipeline.stages = layout.stages;
  experiment.generator.zero = layout.generator_zero;
  experiment.discriminator.zero = layout.discriminator_zero;
  return experiment;
}

Layout layout_of(const config::Experiment& experiment) {
  return {experiment.compute.ranks_per_cell, experiment.compute.pipeline.stages,
          experiment.generator.zero, experiment.discriminator.zero};
}

std::string to_string(const Layout& layout) {
  std::string text = counted(layout.ranks_per_cell, "rank") + " to a cell";
  if (layout.stages > 1) {
    text += fmt::format(", {} of {} stages",
                        counted(layout.ranks_per_cell / layout.stages, "replica"), layout.stages);
  }
  if (layout.ranks_per_cell == layout.stages) return text;
  return text + fmt::format(", generator.zero {}, discriminator.zero {}", layout.generator_zero,
                            layout.discriminator_zero);
}

std::uint32_t useful_ranks(const config::Experiment& experiment, std::uint32_t n_room) {
  const std::uint32_t n_cells = torus_of(experiment).cells();
  if (experiment.compute.layout != "auto" || n_room < 2 * n_cells) return std::min(n_cells, n_room);
  const std::uint32_t n_shares = std::max(
      1U, config::fewest_micro_batches(experiment).n / experiment.compute.threads_per_worker);
  return n_cells * std::min(n_shares, n_room / n_cells);
}

double batch_cost(const config::Experiment& experiment, const Layout& layout, const Ranks& ranks) {
  const config::Experiment meant = with_layout(experiment, layout);
  const coev::Settings settings = settings_of(meant);
  const nn::Engine engine{.n_threads = meant.compute.threads_per_worker};
  double cost = 0;
  for (const auto role : {coev::NetworkRole::kGenerator, coev::NetworkRole::kDiscriminator}) {
    cost += step_cost(settings, role, engine, pipeline_of(meant), layout.ranks_per_cell) /
            coev::network_settings(settings, role).train_every;
  }
  const std::uint32_t n_cells = torus_of(meant).cells();
  const std::uint32_t n_workers = std::min(ranks.n / layout.ranks_per_cell, n_cells);
  const std::uint32_t n_busy = n_workers * meant.compute.threads_per_worker * layout.ranks_per_cell;
  const double for_each = std::max(1.0, static_cast<double>(n_busy) / ranks.n_cores);
  return cost * for_each * ((n_cells + n_workers - 1) / n_workers);
}

std::optional<ChosenLayout> choose_layout(const config::Experiment& experiment, const Ranks& ranks,
                                          const std::function<bool(const Layout&)>& fits) {
  const double alone = batch_cost(experiment, {}, ranks);
  ChosenLayout chosen;
  for (const bool leaves_each_cell_a_worker : {true, false}) {
    Candidates candidates(experiment, ranks, leaves_each_cell_a_worker);
    chosen.had_choice |= candidates.n() > 1;
    while (candidates.n() > 0) {
      const auto [cost, layout] = candidates.take_fastest();
      if (fits(layout)) {
        chosen.layout = layout;
        chosen.speed = alone / cost;
        return chosen;
      }
      chosen.n_that_do_not_fit += 1;
      if (can_share_more_out(layout)) candidates.add_stages_of_zero(layout);
    }
  }
  return std::nullopt;
}

}  // namespace lipizz::setup
