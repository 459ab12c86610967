#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lipizz::nn {

enum class OptimizerKind { kAdam, kSgd, kRmsProp };

/// Everything about an optimizer but the learning rate, which belongs to the individual.
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::kAdam;
  double beta1 = 0.5;     // Adam: decay of the first moment; SGD: momentum
  double beta2 = 0.999;   // Adam, RMSProp: decay of the second moment
  double epsilon = 1e-8;  // Adam, RMSProp
  double clip = 0;        // after each update weights are brought back to +-clip; 0: never
};

struct OptimizerEntry {
  std::string_view name;
  std::string_view summary;  // update rule and source
  OptimizerKind kind;
  std::uint32_t n_moments;  // buffers of state, each as long as the parameters
};

/// Every optimizer there is.
std::span<const OptimizerEntry> optimizers();

/// ConfigError naming the nearest when there is none.
const OptimizerEntry& find_optimizer(std::string_view name);
const OptimizerEntry& entry(OptimizerKind kind);

}  // namespace lipizz::nn
