#include "coev/mixture_weighting/best_member.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues) {
  const double before = input.score(weights);
  const std::optional<std::size_t> best = best_alone(weights.size(), input);
  if (!best) return;
  std::vector<double> alone(weights.size());
  alone[*best] = 1;
  if (is_better(before, input.score(alone))) return;
  std::ranges::copy(alone, weights.begin());
}

}  // namespace

std::optional<std::size_t> best_alone(std::size_t n_members, const MixtureWeightingInput& input) {
  std::optional<std::size_t> best;
  double best_score = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> alone(n_members);
  for (std::size_t member = 0; member < n_members; ++member) {
    alone.assign(n_members, 0);
    alone[member] = 1;
    const double score = input.score(alone);
    if (!is_better(score, best_score)) continue;
    best = member;
    best_score = score;
  }
  return best;
}

constinit const MixtureWeighting kBestMemberWeighting{
    .name = "best-member",
    .summary = "the member that scores best alone has all the weight",
    .find = find};

}  // namespace lipizz::coev
