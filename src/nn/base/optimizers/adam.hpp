#pragma once

#include <cmath>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/powers.hpp"

namespace lipizz::nn {

/// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1), its bias
/// correction once for an update instead of once for each number.
struct Adam {
  static constexpr std::string_view kName = "adam";
  static constexpr std::string_view kSummary =
      "w -= rate * m^ / (sqrt(v^) + epsilon), m and v running means of g and g^2, bias-corrected "
      "(Kingma and Ba 2015)";
  static constexpr std::uint32_t kNMoments = 2;
  static constexpr std::uint32_t kNSquares = 1;

  struct Numbers {
    float beta1, keep1, beta2, keep2, rate, scale, epsilon;
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, auto learning_rate, std::uint32_t step) {
    return {.beta1 = static_cast<float>(o.beta1),
            .keep1 = static_cast<float>(1 - o.beta1),
            .beta2 = static_cast<float>(o.beta2),
            .keep2 = static_cast<float>(1 - o.beta2),
            .rate = static_cast<float>(static_cast<double>(learning_rate) /
                                       (1 - power(o.beta1, step + 1))),
            .scale = static_cast<float>(1 / std::sqrt(1 - power(o.beta2, step + 1))),
            .epsilon = static_cast<float>(o.epsilon)};
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    float& m = moments[0];
    float& v = moments[1];
    m = n.beta1 * m + n.keep1 * g;
    v = n.beta2 * v + n.keep2 * g * g;
    w -= n.rate * m / (std::sqrt(v) * n.scale + n.epsilon);
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t step, Array w, Array g,
                        std::vector<Array>& moments) {
    Array& m = moments[0];
    Array& v = moments[1];
    const T beta1 = static_cast<T>(o.beta1);
    const T beta2 = static_cast<T>(o.beta2);
    const T rate_now = static_cast<T>(static_cast<double>(rate) / (1 - power(o.beta1, step + 1)));
    const T scale = static_cast<T>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
    m = beta1 * m + static_cast<T>(1 - o.beta1) * g;
    v = beta2 * v + static_cast<T>(1 - o.beta2) * g * g;
    w -= rate_now * m / (v.sqrt() * scale + static_cast<T>(o.epsilon));
  }
};

}  // namespace lipizz::nn
