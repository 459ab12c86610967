#pragma once

#include <cmath>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/optimizers/adam.hpp"

namespace lipizz::nn {

/// AdaBelief (Zhuang et al., "AdaBelief optimizer: adapting stepsizes by the belief in observed
/// gradients", 2020, algorithm 2): Adam whose second moment is that of what the first one did not
/// foresee.
struct AdaBelief {
  static constexpr std::string_view kName = "adabelief";
  static constexpr std::string_view kSummary =
      "Adam with s, a running mean of (g - m)^2 + epsilon, in place of v (Zhuang et al. 2020)";
  static constexpr std::uint32_t kNMoments = 2;
  static constexpr std::uint32_t kNSquares = 1;

  using Numbers = Adam::Numbers;

  static constexpr Numbers numbers(const OptimizerSpec& o, auto learning_rate, std::uint32_t step) {
    return Adam::numbers(o, learning_rate, step);
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    float& m = moments[0];
    float& s = moments[1];
    m = n.beta1 * m + n.keep1 * g;
    s = n.beta2 * s + n.keep2 * (g - m) * (g - m) + n.epsilon;
    w -= n.rate * m / (std::sqrt(s) * n.scale + n.epsilon);
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t step, Array w, Array g,
                        std::vector<Array>& moments) {
    Array& m = moments[0];
    Array& s = moments[1];
    const T beta1 = static_cast<T>(o.beta1);
    const T beta2 = static_cast<T>(o.beta2);
    const T epsilon = static_cast<T>(o.epsilon);
    const T rate_now = static_cast<T>(static_cast<double>(rate) / (1 - power(o.beta1, step + 1)));
    const T scale = static_cast<T>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
    m = beta1 * m + static_cast<T>(1 - o.beta1) * g;
    s = beta2 * s + static_cast<T>(1 - o.beta2) * (g - m) * (g - m) + epsilon;
    w -= rate_now * m / (s.sqrt() * scale + epsilon);
  }
};

}  // namespace lipizz::nn
