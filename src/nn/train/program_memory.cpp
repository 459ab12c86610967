#include "nn/train/program_memory.hpp"

#include "nn/cpu/plan.hpp"
#include "nn/network/inference_graph.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {
namespace {

StepForm form_on(const Engine& engine, const SampleSource& source) {
  return {.source = &source, .is_forked = engine.n_threads > 1, .collectives = engine.collectives};
}

}  // namespace

PlanBytes generator_step_bytes(const Engine& engine, const GanSpec& gan,
                               const OptimizerSpec& optimizer, std::uint32_t batch,
                               const StepOptions& options) {
  const NoSamples source(gan.sample());
  return planned_bytes(
      engine, generator_step_graph(gan, optimizer, batch, options, form_on(engine, source)).graph);
}

PlanBytes discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                   const OptimizerSpec& optimizer, std::uint32_t batch,
                                   const StepOptions& options) {
  const NoSamples source(gan.sample());
  return planned_bytes(
      engine,
      discriminator_step_graph(gan, optimizer, batch, options, form_on(engine, source)).graph);
}

PlanBytes classifier_step_bytes(const Engine& engine, const NetworkSpec& network,
                                const OptimizerSpec& optimizer, std::uint32_t batch) {
  return planned_bytes(engine, classifier_step_graph(network, optimizer, batch).graph);
}

PlanBytes inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch) {
  return planned_bytes(engine, inference_graph(network, batch).graph);
}

}  // namespace lipizz::nn
