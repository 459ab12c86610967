#include "app/pipeline_report.hpp"

#include <fmt/format.h>

#include "coev/genome.hpp"
#include "core/text.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/step_cost.hpp"
#include "setup/engine.hpp"
#include "setup/memory_fit.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

int per_cent(double share) {
  return static_cast<int>(100 * share + 0.5);
}

// `layers 1 to 3 (16,640 parameters)`
std::string layers_text(const nn::NetworkStages& stages, std::uint32_t stage) {
  const auto layers = std::ranges::equal_range(stages.of_layer, stage);
  const auto first = layers.begin() - stages.of_layer.begin() + 1;
  const auto last = layers.end() - stages.of_layer.begin();
  if (layers.empty()) return "no layer";
  return fmt::format(
      "{} ({} parameters)",
      first == last ? fmt::format("layer {}", first) : fmt::format("layers {} to {}", first, last),
      stages.tensors[stage].parameters.n);
}

std::string steps_text(const coev::Settings& settings, nn::Engine engine,
                       const nn::PipelineSpec& spec, std::uint32_t n_ranks) {
  nn::NoCell cell(n_ranks, 0, spec);
  engine = cell.engine(engine);
  using enum coev::NetworkRole;
  const double g =
      nn::generator_step_cost(engine, settings.model, settings.generator.optimizer,
                              settings.batch_size, coev::step_options(settings, kGenerator))
          .bubble;
  const double d =
      nn::discriminator_step_cost(engine, settings.model, settings.discriminator.optimizer,
                                  settings.batch_size, coev::step_options(settings, kDiscriminator))
          .bubble;
  const std::uint32_t n_replicas = n_ranks / spec.n_stages;
  return fmt::format(
      "pipeline: {} to a cell, {} of {} stages; stages wait for each other {} % of a step of the "
      "generator, {} % of one of the discriminator, by what operations cost\n",
      counted(n_ranks, "rank"), counted(n_replicas, "replica"), spec.n_stages, per_cent(g),
      per_cent(d));
}

}  // namespace

std::string pipeline_report(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                            const setup::MemoryEstimate& estimate) {
  const nn::PipelineSpec spec = setup::pipeline_of(experiment);
  if (spec.n_stages == 1) return "";
  const coev::Settings settings = setup::settings_of(experiment);
  const nn::ConvolutionTable convolutions = setup::convolutions_of(experiment);
  const nn::Engine engine = setup::engine_of(experiment, run_plan.numerics, convolutions);
  std::string text = steps_text(settings, engine, spec, run_plan.ranks_per_cell);
  const auto [g, d] = nn::pair_stages(settings.model, spec.n_stages, spec.balance, spec.cuts);
  for (std::uint32_t i = 0; i < run_plan.ranks_per_cell && i < estimate.workers.size(); ++i) {
    const setup::HostingWorker& worker = estimate.workers[i];
    const std::uint32_t stage = i % spec.n_stages;
    text += fmt::format("pipeline: rank {}: stage {}, generator: {}, discriminator: {}; {}\n",
                        worker.rank.value, stage + 1, layers_text(g, stage), layers_text(d, stage),
                        setup::bytes_text(worker.memory.total()));
  }
  return text;
}

}  // namespace lipizz::app
