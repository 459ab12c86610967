#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

inline constexpr auto above_1 =
    term([](auto l) { return l < 1 ? 1 - l : decltype(l){0}; },
         [](auto l) { return l < 1 ? decltype(l){-1} : decltype(l){0}; });
inline constexpr auto below_minus_1 =
    term([](auto l) { return l > -1 ? 1 + l : decltype(l){0}; },
         [](auto l) { return l > -1 ? decltype(l){1} : decltype(l){0}; });

inline constexpr TypedLoss kHinge{
    "hinge",
    "G: -l(G(z)); D: max(0, 1 - l(x)) + max(0, 1 + l(G(z))), on the logits l (Lim and "
    "Ye 2017; SNGAN, BigGAN)",
    minus_logit, above_1, below_minus_1};

}  // namespace lipizz::nn
