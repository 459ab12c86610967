#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// Weights in proportion to recall, w_i = r_i / sum_j r_j: r_i is the share of test samples that
/// lie in the manifold of the samples of generator i (Kynkaanniemi et al. 2019, with k = 5;
/// metrics::Manifold). Whoever covers more of the data contributes more. All are equal where every
/// recall is zero. A recall that is not finite counts as zero, and has no weight while another is
/// finite.
extern const MixtureWeighting kRecallWeighting;

}  // namespace lipizz::coev
