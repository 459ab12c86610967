#include "nn/train/program_memory.hpp"

#include <algorithm>

#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/inference_graph.hpp"
#include "nn/train/micro_batch.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {
namespace {

// Values that have come from other stages and wait for their turn: of all micro-batches, or of as
// many as are between their ways there and back, which are about two for each stage.
std::size_t waiting_bytes(const Pipeline& pipeline, const Graph& graph,
                          std::uint32_t n_micro_batches) {
  std::size_t n = 0;
  for (const ValueId value : graph.live_operations()) {
    const Node& node = graph.node(value);
    if (node.operation == &kReceive) n += n_elements(node.shape);
  }
  const bool waits_for_all = pipeline.schedule == PipelineSchedule::kGpipe;
  const std::size_t n_under_way =
      waits_for_all ? n_micro_batches : std::min(n_micro_batches, 2 * pipeline.n_stages());
  return n / n_micro_batches * n_under_way * sizeof(float);
}

PlanBytes step_bytes(const Engine& engine, const StepGraph& step, std::uint32_t batch,
                     const StepOptions& options) {
  PlanBytes bytes = planned_bytes(engine, step.graph);
  const Pipeline* const pipeline = pipeline_of(engine);
  if (pipeline == nullptr) return bytes;
  const MicroBatches own =
      micro_batches(batch, options.n_micro_batches, pipeline->other_replicas());
  bytes.arenas.front() +=
      waiting_bytes(*pipeline, step.graph, own.n());  // one step after the other
  return bytes;
}

}  // namespace

PlanBytes generator_step_bytes(const Engine& engine, const GanSpec& gan,
                               const OptimizerSpec& optimizer, std::uint32_t batch,
                               const StepOptions& options) {
  const NoSamples source(gan.sample());
  return step_bytes(engine,
                    generator_step_graph(gan, optimizer, batch, options, form_on(engine, source)),
                    batch, options);
}

PlanBytes discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                   const OptimizerSpec& optimizer, std::uint32_t batch,
                                   const StepOptions& options) {
  const NoSamples source(gan.sample());
  return step_bytes(
      engine, discriminator_step_graph(gan, optimizer, batch, options, form_on(engine, source)),
      batch, options);
}

PlanBytes classifier_step_bytes(const Engine& engine, const NetworkSpec& network,
                                const OptimizerSpec& optimizer, std::uint32_t batch) {
  return planned_bytes(engine, classifier_step_graph(network, optimizer, batch).graph);
}

PlanBytes inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch) {
  return planned_bytes(engine, inference_graph(network, batch).graph);
}

}  // namespace lipizz::nn
