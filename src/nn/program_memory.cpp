#include "nn/program_memory.hpp"

#include "nn/inference_graph.hpp"
#include "nn/plan.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {
namespace {

std::size_t slot_bytes(const Graph& graph, SlotId slot) {
  return graph.slots()[slot.index].n_elements * sizeof(float);
}

}  // namespace

std::size_t generator_step_bytes(const Engine& engine, const GanSpec& gan,
                                 const OptimizerSpec& optimizer, std::uint32_t batch) {
  const StepGraph step = generator_step_graph(gan, optimizer, batch);
  return planned_bytes(engine, step.graph) + slot_bytes(step.graph, step.noise);
}

std::size_t discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, std::uint32_t batch) {
  const StepGraph step = discriminator_step_graph(gan, optimizer, batch);
  return planned_bytes(engine, step.graph) + slot_bytes(step.graph, step.noise) +
         slot_bytes(step.graph, step.samples);
}

std::size_t inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch) {
  return planned_bytes(engine, inference_graph(network, batch).graph);
}

}  // namespace lipizz::nn
