#include "nn/program_memory.hpp"

#include "nn/inference_graph.hpp"
#include "nn/plan.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {
namespace {

// What a program keeps for each model beside the plan.
std::size_t input_bytes(const StepGraph& step) {
  std::size_t n = 0;
  const auto add = [&](std::optional<SlotId> slot) {
    if (slot) n += step.graph.slots()[slot->index].n_elements;
  };
  for (const auto& slot : {step.inputs, step.samples, step.labels}) add(slot);
  for (const SlotId slot : step.uniforms) add(slot);
  return n * sizeof(float);
}

}  // namespace

std::size_t generator_step_bytes(const Engine& engine, const GanSpec& gan,
                                 const OptimizerSpec& optimizer, std::uint32_t batch,
                                 const StepOptions& options) {
  const StepGraph step = generator_step_graph(gan, optimizer, batch, options);
  return planned_bytes(engine, step.graph) + input_bytes(step);
}

std::size_t discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, std::uint32_t batch,
                                     const StepOptions& options) {
  const StepGraph step = discriminator_step_graph(gan, optimizer, batch, options);
  return planned_bytes(engine, step.graph) + input_bytes(step);
}

std::size_t inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch) {
  return planned_bytes(engine, inference_graph(network, batch).graph);
}

}  // namespace lipizz::nn
