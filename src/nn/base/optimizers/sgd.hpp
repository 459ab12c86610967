#pragma once

#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"

namespace lipizz::nn {

/// Stochastic gradient descent with momentum (Polyak 1964, as in Sutskever et al., "On the
/// importance of initialization and momentum in deep learning", 2013), the rate applied when the
/// weights move.
struct Sgd {
  static constexpr std::string_view kName = "sgd";
  static constexpr std::string_view kSummary = "m = beta1 * m + g; w -= rate * m";
  static constexpr std::uint32_t kNMoments = 1;
  static constexpr std::uint32_t kNSquares = 0;

  struct Numbers {
    float momentum, rate;
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, float learning_rate, std::uint32_t) {
    return {.momentum = static_cast<float>(o.beta1), .rate = learning_rate};
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    float& m = moments[0];
    m = n.momentum * m + g;
    w -= n.rate * m;
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t, Array w, Array g,
                        std::vector<Array>& moments) {
    moments[0] = static_cast<T>(o.beta1) * moments[0] + g;
    w -= rate * moments[0];
  }
};

}  // namespace lipizz::nn
