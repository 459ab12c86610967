#pragma once

#include "nn/base/losses/terms.hpp"

namespace lipizz::nn {

inline constexpr TypedLoss kWasserstein{
    "wasserstein",
    "G: -l(G(z)); D: l(G(z)) - l(x), on the logits l of a critic that clipping "
    "keeps Lipschitz (Arjovsky et al. 2017)",
    minus_logit, minus_logit, logit};

}  // namespace lipizz::nn
