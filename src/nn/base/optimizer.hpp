#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nn/base/mixed_precision.hpp"
#include "nn/base/shard.hpp"

namespace lipizz::nn {

/// Index into optimizers(); the first one is Adam.
using OptimizerId = std::uint32_t;

/// How gradients become updates: everything but the learning rate, which belongs to the individual.
struct OptimizerSpec {
  OptimizerId kind = 0;
  double beta1 = 0.5;          // decay of the first moment; SGD, LARS: momentum; not of RMSProp
  double beta2 = 0.999;        // decay of the second moment; not of SGD and LARS
  double beta2_change = 0;     // what a schedule has added to it at its end
  double epsilon = 1e-8;       // not of SGD and LARS
  double weight_decay = 0.01;  // AdamW, LAMB, LARS
  double clip_norm = 0;        // the most that a gradient is long, by all parameters; 0: any
  double clip_value = 0;       // then each of its numbers is brought back to +-this; 0: none
  double weight_clip = 0;      // after each update weights are brought back to +-this; 0: never
  MixedPrecision mixed{};      // of what gradients are made of
  ZeroStage zero = ZeroStage::kMoments;  // where several ranks compute; changes no result
  /// Moments stay in the host's memory, whatever device computes, and it makes the updates, all
  /// together. With optimizers that look at whole tensors that is another result, by rounding.
  bool moments_on_host = false;

  /// True where ranks share out its updates, element by element.
  [[nodiscard]] bool shares_updates() const;
  /// True where an update is left out whose gradient is not finite.
  [[nodiscard]] bool checks_gradients() const {
    return clip_norm > 0 || clip_value > 0 || mixed.scales_losses();
  }
};

/// The same at this point of its schedule, from 0 to 1.
constexpr OptimizerSpec at_progress(OptimizerSpec spec, double progress) {
  spec.beta2 += spec.beta2_change * progress;
  return spec;
}

struct OptimizerEntry {
  std::string_view name;
  std::string_view summary;  // update rule and source
  std::uint32_t n_moments;   // buffers of state, each as long as the parameters
  bool is_layerwise;         // an update looks at a whole tensor, and not at each number by itself
};

/// Every optimizer there is, as nn/base/optimizer_table.hpp lists them.
std::span<const OptimizerEntry> optimizers();

/// ConfigError naming the nearest when there is none.
OptimizerId find_optimizer(std::string_view name);

/// InternalError when there is no such row.
const OptimizerEntry& entry(OptimizerId kind);

}  // namespace lipizz::nn
