#pragma once

#include <cstdint>

#include "nn/base/engine.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/graph/operation_cost.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// A training step for one of the ranks that compute it: found from its graph, without a run.
struct StepCost {
  GraphCost graph;
  /// The share of the step in which the stages of the engine's pipeline wait for each other
  /// (PipelineStage::bubble); 0 without one.
  double bubble = 0;
};

StepCost generator_step_cost(const Engine& engine, const GanSpec& gan,
                             const OptimizerSpec& optimizer, std::uint32_t batch,
                             const StepOptions& options = {});
StepCost discriminator_step_cost(const Engine& engine, const GanSpec& gan,
                                 const OptimizerSpec& optimizer, std::uint32_t batch,
                                 const StepOptions& options = {});

}  // namespace lipizz::nn
