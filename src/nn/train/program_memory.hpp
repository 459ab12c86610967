#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/base/engine.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// Bytes that the programs of nn/train/gan_step.hpp, nn/train/classifier_step.hpp and
/// nn/exec/inference.hpp would hold on the host for one model, beside the networks and the memory
/// that are bound to them. Found from their graphs; nothing is allocated or prepared.

std::size_t generator_step_bytes(const Engine& engine, const GanSpec& gan,
                                 const OptimizerSpec& optimizer, std::uint32_t batch,
                                 const StepOptions& options = {});
std::size_t discriminator_step_bytes(const Engine& engine, const GanSpec& gan,
                                     const OptimizerSpec& optimizer, std::uint32_t batch,
                                     const StepOptions& options = {});
std::size_t classifier_step_bytes(const Engine& engine, const NetworkSpec& network,
                                  const OptimizerSpec& optimizer, std::uint32_t batch);
std::size_t inference_bytes(const Engine& engine, const NetworkSpec& network, std::uint32_t batch);

}  // namespace lipizz::nn
