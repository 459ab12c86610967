#include "coev/mixture_weighting/recall.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "coev/mixture.hpp"

namespace lipizz::coev {
namespace {

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues) {
  std::vector<double> recalls;
  for (std::size_t member = 0; member < weights.size(); ++member) {
    recalls.push_back(input.recall(member));
  }
  const bool is_any_positive = std::ranges::any_of(recalls, [](double r) { return r > 0; });
  std::ranges::transform(recalls, weights.begin(), [&](double recall) {
    if (!std::isfinite(recall)) return 0.0;
    return is_any_positive ? recall : 1.0;
  });
  normalise(weights);
}

}  // namespace

constinit const MixtureWeighting kRecallWeighting{
    .name = "recall",
    .summary =
        "in proportion to the share of real samples that lie among a member's (recall, "
        "Kynkaanniemi et al. 2019)",
    .measure = MixtureMeasure::kRecall,
    .find = find};

}  // namespace lipizz::coev
