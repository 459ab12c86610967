#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

/// Departure from R3GAN where classes are told: there both samples of a pair are of one class; here
/// generated ones ask for the classes in turn, as with every other loss.
inline constexpr TypedLoss kRelativistic{
    "relativistic",
    "G: log(1 + exp(l(x) - l(G(z)))); D: log(1 + exp(l(G(z)) - l(x))), on the logits l of pairs "
    "of a real and a generated sample; with the penalty r1-r2 R3GAN's (Jolicoeur-Martineau 2018; "
    "Huang et al. 2024)",
    minus_log_d,
    minus_log_d,
    nothing,
    true};

}  // namespace lipizz::nn
