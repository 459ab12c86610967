#include "sweep/halving.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace lipizz::sweep {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();

// The mean of each combination that is still there; nothing while a run has not come to the rung.
class RungScores {
 public:
  RungScores(const Plan& plan, const std::vector<bool>& is_in, Generation rung,
             const ResultAt& result_at)
      : means_(is_in.size(), 0) {
    std::vector<std::size_t> n_seeds(is_in.size(), 0);
    for (const PlannedRun& run : plan.runs()) {
      if (!is_in[run.combination]) continue;
      const auto result = result_at(run, rung);
      if (!result) {
        is_complete_ = false;
        return;
      }
      if (result->score) expect_same_kind(result->score->kind);
      means_[run.combination] += result->score ? result->score->value : kNoScore;
      ++n_seeds[run.combination];
    }
    for (std::size_t i = 0; i < means_.size(); ++i) {
      if (n_seeds[i] > 0) means_[i] /= static_cast<double>(n_seeds[i]);
    }
  }

  [[nodiscard]] bool is_complete() const { return is_complete_; }
  [[nodiscard]] bool is_better(std::size_t a, std::size_t b) const {
    const bool a_loses = std::isnan(means_[a]);
    const bool b_loses = std::isnan(means_[b]);
    if (a_loses != b_loses) return b_loses;
    if (a_loses || means_[a] == means_[b]) return a < b;
    return means_[a] < means_[b];
  }

 private:
  void expect_same_kind(const ScoreKind& kind) {
    if (!kind_) kind_ = kind;
    if (kind_ == kind) return;
    throw ConfigError("stop_early: expected scores that can be ranked, found " + described(*kind_) +
                      " and " + described(kind) +
                      "; fix what differs for all runs, or leave out stop_early");
  }

  std::vector<double> means_;
  std::optional<ScoreKind> kind_;
  bool is_complete_ = true;
};

}  // namespace

// 0.1 of 30 are 3, however 0.1 is rounded.
std::size_t n_kept(const StopEarly& stop, std::size_t n) {
  const double kept = std::ceil(stop.keep * static_cast<double>(n) - 1e-9);
  return std::max<std::size_t>(1, static_cast<std::size_t>(kept));
}

Halving halve(const Plan& plan, const ResultAt& result_at) {
  const std::size_t n = plan.combinations().size();
  Halving halving;
  halving.stopped_at.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) halving.target.push_back(plan.generations(i));
  if (!plan.sweep().stop_early) return halving;
  std::vector<bool> is_in(n, true);
  for (const Generation generation : plan.sweep().stop_early->rungs) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i) {
      if (is_in[i]) order.push_back(i);
    }
    const RungScores scores(plan, is_in, generation, result_at);
    const auto n_kept = static_cast<std::size_t>(
        std::ceil(plan.sweep().stop_early->keep * static_cast<double>(order.size()) - 1e-9));
    halving.rungs.push_back(
        {generation, order.size(), std::max<std::size_t>(1, n_kept), scores.is_complete()});
    if (!scores.is_complete()) {
      for (const std::size_t i : order) halving.target[i] = generation;
      return halving;
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores.is_better(a, b); });
    for (std::size_t k = halving.rungs.back().n_kept; k < order.size(); ++k) {
      is_in[order[k]] = false;
      halving.stopped_at[order[k]] = generation;
      halving.target[order[k]] = generation;
    }
  }
  return halving;
}

}  // namespace lipizz::sweep
