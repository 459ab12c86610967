#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

inline constexpr auto sigmoid_to_1 =
    term([](auto l) { return square(math::sigmoid(-l)); },
         [](auto l) { return -2 * math::sigmoid(-l) * (math::sigmoid(l) * math::sigmoid(-l)); });
inline constexpr auto sigmoid_to_0 =
    term([](auto l) { return square(math::sigmoid(l)); },
         [](auto l) { return 2 * math::sigmoid(l) * (math::sigmoid(l) * math::sigmoid(-l)); });
inline constexpr auto half_to_1 =
    term([](auto l) { return square(l - 1) / 2; }, [](auto l) { return l - 1; });
inline constexpr auto half_to_0 =
    term([](auto l) { return square(l) / 2; }, [](auto l) { return l; });

inline constexpr TypedLoss kMse{
    "mse",
    "G: (D(G(z)) - 1)^2; D: (D(x) - 1)^2 + D(G(z))^2, on the sigmoid (Mao et al. 2017 "
    "on probabilities, as in Mustangs)",
    sigmoid_to_1, sigmoid_to_1, sigmoid_to_0};
inline constexpr TypedLoss kLsgan{
    "lsgan",
    "G: 1/2 (l(G(z)) - 1)^2; D: 1/2 (l(x) - 1)^2 + 1/2 l(G(z))^2, on the logits l "
    "(Mao et al. 2017)",
    half_to_1, half_to_1, half_to_0};

}  // namespace lipizz::nn
