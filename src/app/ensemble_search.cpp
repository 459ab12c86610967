#include "app/ensemble_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "coev/mixture.hpp"
#include "coev/mixture_sampler.hpp"
#include "coev/mixture_search.hpp"
#include "coev/ranking.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

// No run comes to this generation, so that no training has used these random numbers.
constexpr Generation kAfterAllRuns = std::numeric_limits<Generation>::max();

std::size_t first_best(std::span<const double> scores) {
  return static_cast<std::size_t>(std::ranges::min_element(scores, coev::is_better) -
                                  scores.begin());
}

class Search {
 public:
  Search(const EnsemblePool& pool, metrics::Scorer& scorer, const EnsembleRequest& request)
      : pool_(pool),
        scorer_(scorer),
        request_(request),
        noise_(request.seed, Purpose::kScoreNoise, {}, kAfterAllRuns) {
    settings_.model = pool.first().about().model;
  }

  Ensemble run() {
    coev::MixtureSampler sampler(pool_.first().device(), settings_, pool_.first().dataset(),
                                 scorer_);
    take_statistics(sampler);
    Ensemble ensemble{start(), scores_alone(), 0, {}};
    search(ensemble.weights, statistics_);
    if (request_.size) keep_heaviest(ensemble, *request_.size);
    ensemble.score = fresh_score(sampler, ensemble.weights);
    for (std::size_t run = 0; run < pool_.runs().size(); ++run) {
      ensemble.runs.push_back(fresh_score(sampler, weights_of_run(run)));
    }
    return ensemble;
  }

 private:
  void take_statistics(coev::MixtureSampler& sampler) {
    for (const EnsemblePool::Member& member : pool_.members()) {
      statistics_.push_back(scorer_.statistics(
          sampler.features(pool_.parameters(member), {noise_, 0, request_.n_samples})));
    }
  }

  [[nodiscard]] std::vector<double> scores_alone() const {
    std::vector<double> scores;
    for (const metrics::Statistics& each : statistics_) {
      scores.push_back(scorer_.score(each).value);
    }
    return scores;
  }
  // The weights that the mixture of one run gives the pool's members.
  [[nodiscard]] std::vector<double> weights_of_run(std::size_t run) const {
    std::vector<double> weights;
    for (const EnsemblePool::Member& member : pool_.members()) {
      weights.push_back(member.run == run ? pool_.about(member).weight : 0);
    }
    return weights;
  }

  [[nodiscard]] std::vector<double> start() const {
    if (request_.weighting->measure == coev::MixtureMeasure::kNone) {
      const std::size_t n = statistics_.size();
      return std::vector<double>(n, 1.0 / static_cast<double>(n));
    }
    std::vector<double> scores;
    for (std::size_t run = 0; run < pool_.runs().size(); ++run) {
      scores.push_back(coev::closed_form_score(weights_of_run(run), statistics_, scorer_));
    }
    return weights_of_run(first_best(scores));
  }

  void search(std::span<double> weights, std::span<const metrics::Statistics> members) const {
    if (weights.size() < 2) return;
    const Random random(request_.seed, Purpose::kMixtureStep, {}, kAfterAllRuns);
    coev::search_weights(weights, members, scorer_, request_.weighting, random);
  }

  // The members of an ensemble of this size, in their own order.
  static std::vector<std::size_t> heaviest(const Ensemble& ensemble, std::size_t size) {
    const std::size_t best = first_best(ensemble.alone);
    std::vector<std::size_t> order(ensemble.weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if ((a == best) != (b == best)) return a == best;
      if (ensemble.weights[a] != ensemble.weights[b]) {
        return ensemble.weights[a] > ensemble.weights[b];
      }
      return coev::is_better(ensemble.alone[a], ensemble.alone[b]);
    });
    order.resize(size);
    std::ranges::sort(order);
    return order;
  }

  void keep_heaviest(Ensemble& ensemble, std::size_t size) const {
    if (ensemble.n_members() <= size) return;
    const std::vector<std::size_t> kept = heaviest(ensemble, size);
    std::vector<double> weights;
    std::vector<metrics::Statistics> statistics;
    for (const std::size_t member : kept) {
      weights.push_back(ensemble.weights[member]);
      statistics.push_back(statistics_[member]);
    }
    coev::normalise(weights);
    search(weights, statistics);
    std::ranges::fill(ensemble.weights, 0);
    for (std::size_t i = 0; i < kept.size(); ++i) ensemble.weights[kept[i]] = weights[i];
  }

  double fresh_score(coev::MixtureSampler& sampler, std::span<const double> weights) const {
    std::vector<std::span<const float>> generators;
    for (const EnsemblePool::Member& member : pool_.members()) {
      generators.push_back(pool_.parameters(member));
    }
    const std::vector<float> features =
        sampler.features(generators, weights, {noise_, request_.n_samples, request_.n_samples});
    return scorer_.score(scorer_.statistics(features)).value;
  }

  const EnsemblePool& pool_;
  metrics::Scorer& scorer_;
  const EnsembleRequest& request_;
  Random noise_;
  coev::Settings settings_;
  std::vector<metrics::Statistics> statistics_;  // of each member, on common noise
};

}  // namespace

std::size_t Ensemble::n_members() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(weights, [](double weight) { return weight > 0; }));
}

std::size_t Ensemble::best_run() const {
  return first_best(runs);
}

Ensemble find_ensemble(const EnsemblePool& pool, metrics::Scorer& scorer,
                       const EnsembleRequest& request) {
  Ensemble ensemble = Search(pool, scorer, request).run();
  if (std::isfinite(ensemble.score)) return ensemble;
  throw NumericError("ensemble: no weights of these generators give samples that are finite");
}

}  // namespace lipizz::app
