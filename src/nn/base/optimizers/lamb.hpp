#pragma once

#include <cmath>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/optimizers/adam.hpp"

namespace lipizz::nn {

/// LAMB (You et al., "Large batch optimization for deep learning: training BERT in 76 minutes",
/// 2020, algorithm 2, whose scaling function is the identity): AdamW whose step of a layer is as
/// long as the layer's weights, times the rate. Departure: biases, scales and shifts, which may
/// begin with a length of 0, take AdamW's step as it is.
struct Lamb {
  static constexpr std::string_view kName = "lamb";
  static constexpr std::string_view kSummary =
      "AdamW, its step of each tensor of weights brought to their length, for large batches "
      "(You et al. 2020)";
  static constexpr std::uint32_t kNMoments = Adam::kNMoments;
  static constexpr std::uint32_t kNSquares = 1;

  struct Numbers {
    float beta1, keep1, beta2, keep2, rate, first_scale, scale, epsilon, decay, trust;
  };

  static constexpr Numbers numbers(const OptimizerSpec& o, auto learning_rate, std::uint32_t step) {
    return {.beta1 = static_cast<float>(o.beta1),
            .keep1 = static_cast<float>(1 - o.beta1),
            .beta2 = static_cast<float>(o.beta2),
            .keep2 = static_cast<float>(1 - o.beta2),
            .rate = static_cast<float>(learning_rate),
            .first_scale = static_cast<float>(1 / (1 - power(o.beta1, step + 1))),
            .scale = static_cast<float>(1 / std::sqrt(1 - power(o.beta2, step + 1))),
            .epsilon = static_cast<float>(o.epsilon),
            .decay = static_cast<float>(o.weight_decay),
            .trust = 1};
  }

  static LIPIZZ_INLINE constexpr void advance(const Numbers& n, float g, float* moments) {
    moments[0] = n.beta1 * moments[0] + n.keep1 * g;
    moments[1] = n.beta2 * moments[1] + n.keep2 * g * g;
  }

  static LIPIZZ_INLINE constexpr float measured(const Numbers& n, float, float w,
                                                const float* moments) {
    return n.first_scale * moments[0] / (std::sqrt(moments[1]) * n.scale + n.epsilon) + n.decay * w;
  }

  static constexpr float trust(const Numbers&, double length, double of_step) {
    return length > 0 && of_step > 0 ? static_cast<float>(length / of_step) : 1.0f;
  }

  static LIPIZZ_INLINE constexpr void update(const Numbers& n, float g, float& w, float* moments) {
    w -= n.rate * n.trust * measured(n, g, w, moments);
  }

  template <class T, class Array>
  static void reference(const OptimizerSpec& o, T rate, std::uint32_t step, Array w, Array g,
                        std::vector<Array>& moments, bool is_vector) {
    Array& m = moments[0];
    Array& v = moments[1];
    m = static_cast<T>(o.beta1) * m + static_cast<T>(1 - o.beta1) * g;
    v = static_cast<T>(o.beta2) * v + static_cast<T>(1 - o.beta2) * g * g;
    const T first_scale = static_cast<T>(1 / (1 - power(o.beta1, step + 1)));
    const T scale = static_cast<T>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
    const auto moved = (first_scale * m / (v.sqrt() * scale + static_cast<T>(o.epsilon)) +
                        static_cast<T>(o.weight_decay) * w)
                           .eval();
    const T length = std::sqrt(w.square().sum());
    const T of_step = std::sqrt(moved.square().sum());
    const bool is_scaled = !is_vector && length > 0 && of_step > 0;
    w -= rate * (is_scaled ? length / of_step : T{1}) * moved;
  }
};

}  // namespace lipizz::nn
