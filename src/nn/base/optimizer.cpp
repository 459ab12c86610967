#include "nn/base/optimizer.hpp"

#include <algorithm>
#include <array>

#include "core/table.hpp"

namespace lipizz::nn {

std::span<const OptimizerEntry> optimizers() {
  static constexpr std::array kOptimizers{
      OptimizerEntry{"adam",
                     "w -= rate * m^ / (sqrt(v^) + epsilon), m and v running means of g and g^2, "
                     "bias-corrected (Kingma and Ba 2015)",
                     OptimizerKind::kAdam, 2},
      OptimizerEntry{"sgd", "m = beta1 * m + g; w -= rate * m", OptimizerKind::kSgd, 1},
      OptimizerEntry{"rmsprop",
                     "v = beta2 * v + (1 - beta2) g^2; w -= rate * g / (sqrt(v) + epsilon)",
                     OptimizerKind::kRmsProp, 1},
  };
  return kOptimizers;
}

const OptimizerEntry& find_optimizer(std::string_view name) {
  return find_row(optimizers(), &OptimizerEntry::name, name, "optimizer");
}

const OptimizerEntry& entry(OptimizerKind kind) {
  return *std::ranges::find(optimizers(), kind, &OptimizerEntry::kind);
}

}  // namespace lipizz::nn
