#include "metrics/frechet_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/hash.hpp"
#include "metrics/block_means.hpp"
#include "metrics/class_scores.hpp"
#include "metrics/classifier.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/fourier_features.hpp"
#include "metrics/judge.hpp"

namespace lipizz::metrics {
namespace {

// Real samples that others are compared with.
struct Reference {
  Reference(Statistics statistics, std::uint32_t n_values)
      : real(std::move(statistics)), distance(FeatureSums::gaussian(real, n_values)) {}
  Statistics real;
  FrechetDistance distance;
};

class FrechetScorer : public Scorer {
 public:
  /// real: of all training samples; judge_hash: of what else the features depend on.
  FrechetScorer(std::string_view metric, const data::Dataset& dataset,
                std::unique_ptr<Features> features, Statistics real, std::uint64_t judge_hash)
      : metric_(metric),
        dataset_(dataset),
        features_(std::move(features)),
        training_(std::move(real), features_->n_values()),
        judge_hash_(judge_hash) {}

  [[nodiscard]] std::string_view metric() const override { return metric_; }
  [[nodiscard]] std::uint32_t n_features() const override { return features_->n_values() + 1; }
  [[nodiscard]] std::uint64_t judge_hash() const override { return judge_hash_; }

  void features(std::span<const float> samples, std::span<float> out) override {
    features_->compute(samples, out);
  }

  [[nodiscard]] Statistics statistics(std::span<const float> features) const override {
    FeatureSums sums(features_->n_values(), features_->n_classes());
    sums.add(features);
    return sums.mean();
  }

  [[nodiscard]] Score score(const Statistics& statistics) const override {
    return score_against(training_, statistics);
  }

  [[nodiscard]] Score held_out_score(const Statistics& statistics) override {
    if (!held_out_) {
      const std::uint32_t n = std::min(kMostHeldOut, dataset_.n_test());
      held_out_.emplace(FeatureSums::of(dataset_, Part::kTest, n, *features_).mean(),
                        features_->n_values());
    }
    return score_against(*held_out_, statistics);
  }

  [[nodiscard]] std::vector<float> test_features(std::uint32_t n_samples) override {
    std::vector<float> all;
    visit_features(dataset_, Part::kTest, std::min(n_samples, dataset_.n_test()), *features_,
                   [&](std::uint32_t, std::span<const float> rows) {
                     all.insert(all.end(), rows.begin(), rows.end());
                   });
    return all;
  }
  [[nodiscard]] std::uint32_t n_compared() const override { return features_->n_values(); }
  [[nodiscard]] std::span<const double> real_class_shares() const override {
    return class_shares(training_.real);
  }
  [[nodiscard]] std::vector<float> class_probabilities(
      std::span<const float> features) const override {
    std::vector<float> result(features.size() / n_features() * features_->n_classes());
    features_->class_probabilities(features, result);
    return result;
  }

 private:
  [[nodiscard]] Score score_against(const Reference& reference,
                                    const Statistics& statistics) const {
    const double value =
        reference.distance.to(FeatureSums::gaussian(statistics, features_->n_values()));
    const auto shares = class_shares(statistics);
    Score score{value, {}, {shares.begin(), shares.end()}};
    if (!shares.empty()) {
      const double tvd = total_variation(shares, class_shares(reference.real));
      score.details.push_back({"tvd", std::isnan(value) ? value : tvd});
    }
    return score;
  }

  [[nodiscard]] std::span<const double> class_shares(const Statistics& statistics) const {
    return FeatureSums::class_shares(statistics, features_->n_classes());
  }

  std::string_view metric_;
  const data::Dataset& dataset_;
  std::unique_ptr<Features> features_;
  Reference training_;
  std::optional<Reference> held_out_;
  std::uint64_t judge_hash_;
};

// On features that are not learnt.
std::unique_ptr<Scorer> make_scorer_of(std::string_view metric, const data::Dataset& dataset,
                                       std::unique_ptr<Features> features) {
  Statistics real =
      FeatureSums::of(dataset, Part::kTrain, dataset.n_train_full(), *features).mean();
  Hasher hasher;
  hasher.text(std::string(metric) + " 2");
  hasher.values(std::span<const double>(real.values));
  return std::make_unique<FrechetScorer>(metric, dataset, std::move(features), std::move(real),
                                         hasher.digest());
}

}  // namespace

std::unique_ptr<Scorer> make_frechet_scorer(const data::Dataset& dataset,
                                            std::span<const std::byte> judge, nn::Device& device) {
  Judge learned = unpack_judge(judge, dataset);
  auto features = judge_features(device, dataset, std::move(learned.parameters));
  return std::make_unique<FrechetScorer>("frechet", dataset, std::move(features),
                                         std::move(learned.real), judge_hash(judge));
}

std::unique_ptr<Scorer> make_blocks_scorer(const data::Dataset& dataset) {
  return make_scorer_of("blocks", dataset, std::make_unique<BlockMeans>(dataset.shape()));
}

std::unique_ptr<Scorer> make_fourier_scorer(const data::Dataset& dataset) {
  return make_scorer_of("fourier", dataset, std::make_unique<FourierFeatures>(dataset));
}

}  // namespace lipizz::metrics
