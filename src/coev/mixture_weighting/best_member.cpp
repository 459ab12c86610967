#include "coev/mixture_weighting/best_member.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues) {
  std::optional<std::size_t> best;
  double best_score = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> alone;
  for (std::size_t member = 0; member < weights.size(); ++member) {
    alone.assign(weights.size(), 0);
    alone[member] = 1;
    const double score = input.score(alone);
    if (!is_better(score, best_score)) continue;
    best = member;
    best_score = score;
  }
  if (!best) return;
  std::ranges::fill(weights, 0);
  weights[*best] = 1;
}

}  // namespace

constinit const MixtureWeighting kBestMemberWeighting{
    .name = "best-member",
    .summary = "the member that scores best alone has all the weight",
    .find = find};

}  // namespace lipizz::coev
