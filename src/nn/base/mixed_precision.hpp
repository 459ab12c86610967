#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nn/base/half.hpp"

namespace lipizz::nn {

/// The state of a network's loss scale, in the memory of a step [kSize]: the factor of its losses,
/// one divided by it, updates in a row that were made, and those that were left out because a
/// gradient was not finite. A dynamic scale is halved then, and doubled after kGrowthInterval
/// updates in a row (DeepSpeed's rule); all are powers of two, so that scaling rounds nothing.
struct LossScale {
  static constexpr std::uint32_t kGrowthInterval = 2000;
  static constexpr float kInitial = 65536, kLeast = 1, kMost = 0x1p+30F;

  static constexpr std::size_t kScale = 0, kInverse = 1, kGood = 2, kSkipped = 3, kSize = 4;

  /// The state after an update, or one that was left out. `interval`: 0 where the scale is fixed.
  template <class T>
  static constexpr void advance(T* state, bool is_finite, T interval) {
    if (!is_finite) ++state[kSkipped];
    if (interval == 0) return;
    if (is_finite) {
      const T good = state[kGood];
      const bool grows = good == interval && state[kScale] < kMost;
      if (grows) state[kScale] *= 2;
      state[kGood] = (good == interval ? 0 : good) + 1;
    } else {
      state[kScale] = state[kScale] > kLeast ? state[kScale] / 2 : kLeast;
      state[kGood] = 0;
    }
    state[kInverse] = 1 / state[kScale];
  }
};

/// How a network's training steps keep their values (Micikevicius et al. 2018, "Mixed precision
/// training"): parameters, moments, sums of gradients, statistics and losses are in single
/// precision in any case (nn/graph/mixed_precision.hpp).
struct MixedPrecision {
  std::optional<Half> format{};  // of values; none: single precision
  double loss_scale = 0;         // of fp16, a power of two; 0: dynamic

  /// True where losses are scaled, so that derivatives are not lost below the least number.
  [[nodiscard]] bool scales_losses() const { return format == Half::kFp16; }
  [[nodiscard]] bool is_dynamic() const { return scales_losses() && loss_scale == 0; }
  /// The factor of losses in the first step.
  [[nodiscard]] float first_loss_scale() const {
    if (is_dynamic()) return LossScale::kInitial;
    return scales_losses() ? static_cast<float>(loss_scale) : 1;
  }
  bool operator==(const MixedPrecision&) const = default;
};

/// `none`, `fp16`, `bf16`. ConfigError naming the nearest when there is none.
std::optional<Half> parse_value_format(std::string_view name);

}  // namespace lipizz::nn
