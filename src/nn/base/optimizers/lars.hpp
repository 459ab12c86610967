#pragma once

#include <cmath>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"

namespace lipizz::nn {

/// LARS (You et al., "Large batch training of convolutional networks", 2017, algorithm 1): descent
/// with momentum, each layer with a rate of its own, which follows the ratio of the lengths of its
/// weights and of its gradient. Departure: biases, scales and shifts, which may begin with a length
/// of 0, take the rate as it is.
struct Lars {
  static constexpr std::string_view kName = "lars";
  static constexpr std::string_view kSummary =
      "m = beta1 * m + rate * 0.001 |w| / (|g| + weight_decay * |w|) * (g + weight_decay * w), w "
      "-= m, lengths of each tensor of weights, for large batches (You et al. 2017)";
  static constexpr std::uint32_t kNMoments = 1;
  static constexpr std::uint32_t kNSquares = 0;
  static constexpr double kCoefficient = 0.001;  // of the trust ratio

  struct Numbers {
    float momentum, rate, decay, trust;
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, auto learning_rate, std::uint32_t) {
    return {.momentum = static_cast<float>(o.beta1),
            .rate = static_cast<float>(learning_rate),
            .decay = static_cast<float>(o.weight_decay),
            .trust = 1};
  }

  static LIPIZZ_INLINE constexpr void advance(const Numbers&, float, float*) {}

  static LIPIZZ_INLINE constexpr float measured(const Numbers&, float g, float, const float*) {
    return g;
  }

  static constexpr float trust(const Numbers& n, double length, double of_gradient) {
    const double both = of_gradient + static_cast<double>(n.decay) * length;
    return length > 0 && both > 0 ? static_cast<float>(kCoefficient * length / both) : 1.0f;
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    moments[0] = n.momentum * moments[0] + n.rate * n.trust * (g + n.decay * w);
    w -= moments[0];
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t, Array w, Array g,
                        std::vector<Array>& moments, bool is_vector) {
    const T decay = static_cast<T>(o.weight_decay);
    const T length = std::sqrt(w.square().sum());
    const T of_gradient = std::sqrt(g.square().sum());
    const T both = of_gradient + decay * length;
    const bool is_scaled = !is_vector && length > 0 && both > 0;
    const T trust = is_scaled ? static_cast<T>(kCoefficient) * length / both : T{1};
    moments[0] = static_cast<T>(o.beta1) * moments[0] + rate * trust * (g + decay * w);
    w -= moments[0];
  }
};

}  // namespace lipizz::nn
