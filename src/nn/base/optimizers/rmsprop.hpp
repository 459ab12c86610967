#pragma once

#include <cmath>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"

namespace lipizz::nn {

/// RMSProp (Tieleman and Hinton, "Lecture 6.5: RMSProp", 2012), epsilon beside the root.
struct RmsProp {
  static constexpr std::string_view kName = "rmsprop";
  static constexpr std::string_view kSummary =
      "v = beta2 * v + (1 - beta2) g^2; w -= rate * g / (sqrt(v) + epsilon)";
  static constexpr std::uint32_t kNMoments = 1;
  static constexpr std::uint32_t kNSquares = 1;

  struct Numbers {
    float beta2, keep2, rate, epsilon;
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, float learning_rate, std::uint32_t) {
    return {.beta2 = static_cast<float>(o.beta2),
            .keep2 = static_cast<float>(1 - o.beta2),
            .rate = learning_rate,
            .epsilon = static_cast<float>(o.epsilon)};
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    float& v = moments[0];
    v = n.beta2 * v + n.keep2 * g * g;
    w -= n.rate * g / (std::sqrt(v) + n.epsilon);
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t, Array w, Array g,
                        std::vector<Array>& moments) {
    const T beta2 = static_cast<T>(o.beta2);
    moments[0] = beta2 * moments[0] + static_cast<T>(1 - o.beta2) * g * g;
    w -= rate * g / (moments[0].sqrt() + static_cast<T>(o.epsilon));
  }
};

}  // namespace lipizz::nn
