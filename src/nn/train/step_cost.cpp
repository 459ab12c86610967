#include "nn/train/step_cost.hpp"

namespace lipizz::nn {
namespace {

StepCost cost_of(const StepGraph& step) {
  return {graph_cost(step.graph), step.stage.bubble};
}

}  // namespace

StepCost generator_step_cost(const Engine& engine, const GanSpec& gan,
                             const OptimizerSpec& optimizer, std::uint32_t batch,
                             const StepOptions& options) {
  const NoSamples source(gan.sample());
  return cost_of(generator_step_graph(gan, optimizer, batch, options, form_on(engine, source)));
}

StepCost discriminator_step_cost(const Engine& engine, const GanSpec& gan,
                                 const OptimizerSpec& optimizer, std::uint32_t batch,
                                 const StepOptions& options) {
  const NoSamples source(gan.sample());
  return cost_of(discriminator_step_graph(gan, optimizer, batch, options, form_on(engine, source)));
}

}  // namespace lipizz::nn
