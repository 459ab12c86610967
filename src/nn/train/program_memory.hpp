#pragma once

#include <cstdint>

#include "nn/base/engine.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// Bytes that the programs of nn/train/gan_step.hpp, nn/train/classifier_step.hpp and
/// nn/exec/inference.hpp would hold on the host for one model, beside the networks and the memory
/// that are bound to them. Found from their graphs; nothing is allocated or prepared.

PlanBytes generator_step_bytes(const Engine& engine, const GanSpec& gan,
                               const OptimizerSpec& optimizer, std::uint32_t batch,
                               const StepOptions& options = {});
PlanBytes discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                   const OptimizerSpec& optimizer, std::uint32_t batch,
                                   const StepOptions& options = {});

PlanBytes classifier_step_bytes(const Engine& engine, const NetworkSpec& network,
                                const OptimizerSpec& optimizer, std::uint32_t batch);
PlanBytes inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch);

}  // namespace lipizz::nn
