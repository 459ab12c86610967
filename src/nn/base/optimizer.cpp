#include "nn/base/optimizer.hpp"

#include <array>

#include "core/table.hpp"
#include "nn/base/optimizer_table.hpp"

namespace lipizz::nn {

std::span<const OptimizerEntry> optimizers() {
  static constexpr auto kOptimizers = std::apply(
      []<class... Row>(const Row&...) {
        return std::array{OptimizerEntry{.name = Row::kName,
                                         .summary = Row::kSummary,
                                         .n_moments = Row::kNMoments,
                                         .is_layerwise = kIsLayerwise<Row>}...};
      },
      OptimizerTable{});
  return kOptimizers;
}

OptimizerId find_optimizer(std::string_view name) {
  const std::span<const OptimizerEntry> table = optimizers();
  return static_cast<OptimizerId>(&find_row(table, &OptimizerEntry::name, name, "optimizer") -
                                  table.data());
}

bool OptimizerSpec::shares_updates() const {
  return zero != ZeroStage::kNothing && !entry(kind).is_layerwise;
}

const OptimizerEntry& entry(OptimizerId kind) {
  if (kind < optimizers().size()) return optimizers()[kind];
  throw InternalError("no optimizer of number " + std::to_string(kind));
}

}  // namespace lipizz::nn
