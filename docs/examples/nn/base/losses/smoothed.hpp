#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

// Real samples count as real by nine tenths. With D = sigmoid(l), -log D = -log(1 - D) - l.
inline constexpr auto mostly_real =
    term([](auto l) { return math::softplus(-l) + l / 10; },
         [](auto l) { return -math::sigmoid(-l) + decltype(l){1} / 10; });

inline constexpr TypedLoss kSmoothed{
    "smoothed",
    "G: -log D(G(z)); D: -0.9 log D(x) - 0.1 log(1 - D(x)) - log(1 - D(G(z))) "
    "(Salimans et al. 2016)",
    minus_log_d, mostly_real, minus_log_not_d};

}  // namespace lipizz::nn
