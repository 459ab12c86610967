#include "coev/mixture_weighting/pattern_search.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "coev/mixture.hpp"
#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "step",
              .lowest = 0.01,
              .highest = 1,
              .initial = 0.5,
              .summary = "The first part of the whole that a member gets or gives up."},
    Parameter{.name = "least_step",
              .lowest = 0.01,
              .highest = 1,
              .initial = 0.05,
              .summary = "The search ends when smaller steps would be next."}};

// Weights in search of a better score.
class Search {
 public:
  Search(std::span<double> weights, const MixtureWeightingInput& input)
      : weights_(weights), input_(input), score_(input.score(weights)) {}

  // Takes these where they score better.
  bool try_out(std::span<double> candidate) {
    const double score = input_.score(candidate);
    if (!is_better(score, score_)) return false;
    std::ranges::copy(candidate, weights_.begin());
    score_ = score;
    return true;
  }

  void try_equal() {
    std::vector<double> equal(weights_.size(), 1.0 / static_cast<double>(weights_.size()));
    try_out(equal);
  }
  void try_alone(std::size_t member) {
    std::vector<double> alone(weights_.size());
    alone[member] = 1;
    try_out(alone);
  }

  // Moves a member's weight by `step` towards the whole or away from it.
  bool try_move(std::size_t member, double step) {
    std::vector<double> moved(weights_.begin(), weights_.end());
    const double weight = std::clamp(moved[member] + step, 0.0, 1.0);
    const double others = 1 - moved[member];
    if (weight == moved[member] || (others <= 0 && weight < 1)) return false;
    for (double& other : moved) other *= others > 0 ? (1 - weight) / others : 0;
    moved[member] = weight;
    normalise(moved);
    return try_out(moved);
  }

 private:
  std::span<double> weights_;
  const MixtureWeightingInput& input_;
  double score_;
};

bool try_all_moves(Search& search, std::size_t n_members, double step) {
  bool is_any_better = false;
  for (std::size_t member = 0; member < n_members; ++member) {
    const bool has_moved = search.try_move(member, step) || search.try_move(member, -step);
    is_any_better = is_any_better || has_moved;
  }
  return is_any_better;
}

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues values) {
  constexpr int kMostSweeps = 20;  // of one step
  Search search(weights, input);
  search.try_equal();
  for (std::size_t member = 0; member < weights.size(); ++member) search.try_alone(member);
  for (double step = values[0]; step >= values[1]; step /= 2) {
    for (int i = 0; i < kMostSweeps && try_all_moves(search, weights.size(), step); ++i) {
    }
  }
}

}  // namespace

constinit const MixtureWeighting kPatternSearchWeighting{
    .name = "pattern-search",
    .summary =
        "from the best of all simple ones by steps that become smaller (Hooke and Jeeves "
        "1961)",
    .parameters = kParameters,
    .find = find};

}  // namespace lipizz::coev
