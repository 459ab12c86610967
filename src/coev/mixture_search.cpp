#include "coev/mixture_search.hpp"

#include <functional>

namespace lipizz::coev {

double closed_form_score(std::span<const double> weights,
                         std::span<const metrics::Statistics> members,
                         const metrics::Scorer& scorer) {
  return scorer.score(metrics::mix(weights, members)).value;
}

void search_weights(std::span<double> weights, std::span<const metrics::Statistics> members,
                    const metrics::Scorer& scorer, const Configured<MixtureWeighting>& weighting,
                    const Random& random) {
  const std::function<double(std::span<const double>)> score =
      [&](std::span<const double> candidate) {
        return closed_form_score(candidate, members, scorer);
      };
  weighting->find(weights, {random, score}, weighting.values());
}

}  // namespace lipizz::coev
