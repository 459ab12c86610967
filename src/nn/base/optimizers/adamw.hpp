#pragma once

#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/optimizers/adam.hpp"

namespace lipizz::nn {

/// AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, algorithm 2).
/// Departure: the decay is multiplied by the learning rate, as PyTorch has it, so that mutation of
/// the rate changes both.
struct AdamW {
  static constexpr std::string_view kName = "adamw";
  static constexpr std::string_view kSummary =
      "Adam with w -= rate * weight_decay * w beside it (Loshchilov and Hutter 2019)";
  static constexpr std::uint32_t kNMoments = Adam::kNMoments;
  static constexpr std::uint32_t kNSquares = 1;

  struct Numbers {
    Adam::Numbers adam;
    float kept;  // of a weight
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, auto learning_rate, std::uint32_t step) {
    return {Adam::numbers(o, learning_rate, step),
            static_cast<float>(1 - static_cast<double>(learning_rate) * o.weight_decay)};
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    w *= n.kept;
    Adam::update(n.adam, g, w, moments);
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t step, Array w, Array g,
                        std::vector<Array>& moments) {
    w *= static_cast<T>(1 - static_cast<double>(rate) * o.weight_decay);
    Adam::reference(o, rate, step, w, g, moments);
  }
};

}  // namespace lipizz::nn
