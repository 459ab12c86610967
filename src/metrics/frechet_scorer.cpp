#include "metrics/frechet_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/classifier.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/judge.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::uint32_t kUnits = ClassifierFeatures::kUnits;

double total_variation(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

class FrechetScorer : public Scorer {
 public:
  FrechetScorer(const data::Dataset& dataset, Judge judge, std::uint64_t hash,
                const nn::Engine& engine)
      : dataset_(dataset),
        hash_(hash),
        n_classes_(dataset.n_classes()),
        real_(std::move(judge.real)),
        distance_(FeatureSums::gaussian(real_, kUnits)),
        classifier_(engine, classifier_network(dataset.shape().size(), n_classes_),
                    std::move(judge.parameters)) {}

  [[nodiscard]] std::string_view metric() const override { return "frechet"; }
  [[nodiscard]] std::uint32_t n_features() const override { return ClassifierFeatures::kPerSample; }
  [[nodiscard]] std::uint64_t judge_hash() const override { return hash_; }

  void features(std::span<const float> samples, std::span<float> out) override {
    classifier_.compute(samples, out);
  }

  [[nodiscard]] Statistics statistics(std::span<const float> features) const override {
    FeatureSums sums(kUnits, n_classes_);
    sums.add(features);
    return sums.mean();
  }

  [[nodiscard]] Score score(const Statistics& statistics) const override {
    const double value = distance_.to(FeatureSums::gaussian(statistics, kUnits));
    const auto shares = FeatureSums::class_shares(statistics, n_classes_);
    const double tvd = std::isnan(value)
                           ? value
                           : total_variation(shares, FeatureSums::class_shares(real_, n_classes_));
    return {value, {{"tvd", tvd}}, {shares.begin(), shares.end()}};
  }

  [[nodiscard]] Floor floor(std::uint32_t n_samples) override {
    FeatureSums sums(kUnits, n_classes_);
    const std::uint32_t n = std::min(n_samples, dataset_.n_test());
    visit_features(dataset_, Part::kTest, n, classifier_,
                   [&](std::uint32_t, std::span<const float> features) { sums.add(features); });
    return {score(sums.mean()).value, n};
  }

 private:
  const data::Dataset& dataset_;
  std::uint64_t hash_;
  std::uint32_t n_classes_;
  Statistics real_;
  FrechetDistance distance_;
  ClassifierFeatures classifier_;
};

}  // namespace

std::unique_ptr<Scorer> make_frechet_scorer(const data::Dataset& dataset,
                                            std::span<const std::byte> judge,
                                            const nn::Engine& engine) {
  return std::make_unique<FrechetScorer>(dataset, unpack_judge(judge, dataset), judge_hash(judge),
                                         engine);
}

}  // namespace lipizz::metrics
