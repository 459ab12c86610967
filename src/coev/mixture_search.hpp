#pragma once

#include <span>

#include "coev/mixture_weighting.hpp"
#include "core/random.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::coev {

/// The score of a mixture in closed form: that of the weighted sum of its members' statistics, so
/// that equal weights have equal scores. Departure: Schmiedlechner et al. 2018 draw samples anew
/// for each score that they compare.
double closed_form_score(std::span<const double> weights,
                         std::span<const metrics::Statistics> members,
                         const metrics::Scorer& scorer);

/// Has a weighting find the weights of a mixture by its closed_form_score(). members: of equally
/// many samples each, on common noise; two or more.
void search_weights(std::span<double> weights, std::span<const metrics::Statistics> members,
                    const metrics::Scorer& scorer, const Configured<MixtureWeighting>& weighting,
                    const Random& random);

}  // namespace lipizz::coev
