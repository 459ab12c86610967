#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

inline constexpr auto half_minus_log_d = term([](auto l) { return math::softplus(-l) / 2; },
                                              [](auto l) { return -math::sigmoid(-l) / 2; });
inline constexpr auto half_minus_log_not_d =
    term([](auto l) { return math::softplus(l) / 2; }, [](auto l) { return math::sigmoid(l) / 2; });
inline constexpr auto half_log_not_d = term([](auto l) { return -math::softplus(l) / 2; },
                                            [](auto l) { return -math::sigmoid(l) / 2; });

inline constexpr TypedLoss kBce{
    "bce",
    "G: -log D(G(z)); D: -log D(x) - log(1 - D(G(z))). Lipizzaner's default "
    "(Goodfellow et al. 2014, non-saturating)",
    minus_log_d, minus_log_d, minus_log_not_d};
inline constexpr TypedLoss kMinimax{
    "minimax",
    "G: 1/2 log(1 - D(G(z))); D: half of bce. The true minimax of E-GAN and "
    "Mustangs (Wang et al. 2019), which the published code leaves out",
    half_log_not_d, half_minus_log_d, half_minus_log_not_d};
inline constexpr TypedLoss kHeuristic{"heuristic",
                                      "G: -1/2 log D(G(z)); D: half of bce (Wang et al. 2019)",
                                      half_minus_log_d, half_minus_log_d, half_minus_log_not_d};
inline constexpr TypedLoss kPix2pixLoss{"pix2pix",
                                        "G: -log D(G(x)); D: half of bce (Isola et al. 2017)",
                                        minus_log_d, half_minus_log_d, half_minus_log_not_d};

}  // namespace lipizz::nn
