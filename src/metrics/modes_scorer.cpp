#include "metrics/modes_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "core/math.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::uint32_t kCoordinates = 2;

// Statistics: share of the samples within 3 sigma of each mode, then share of each mode's samples.
class ModesScorer : public Scorer {
 public:
  explicit ModesScorer(const data::Dataset& dataset) : dataset_(dataset), modes_(dataset.modes()) {}

  [[nodiscard]] std::string_view metric() const override { return "modes"; }
  [[nodiscard]] std::uint32_t n_features() const override { return kCoordinates; }

  void features(std::span<const float> samples, std::span<float> out) override {
    std::ranges::copy(samples, out.begin());
  }

  [[nodiscard]] Statistics statistics(std::span<const float> features) const override {
    const std::size_t n = features.size() / kCoordinates;
    LIPIZZ_ASSERT(n > 0 && features.size() == n * kCoordinates);
    std::vector<double> shares(2 * modes_.size());
    for (std::size_t row = 0; row < n; ++row) {
      count(features[row * kCoordinates], features[row * kCoordinates + 1], shares);
    }
    for (double& share : shares) share /= static_cast<double>(n);
    return {std::move(shares), static_cast<double>(n)};
  }

  [[nodiscard]] Score score(const Statistics& statistics) const override;
  [[nodiscard]] Score held_out_score(const Statistics& statistics) override {
    return score(statistics);
  }

  [[nodiscard]] std::vector<float> test_features(std::uint32_t n_samples) override {
    const std::uint32_t n = std::min(n_samples, dataset_.n_test());
    std::vector<std::uint32_t> indices(n);
    std::iota(indices.begin(), indices.end(), 0U);
    std::vector<float> samples(indices.size() * kCoordinates);
    dataset_.read_test(indices, samples);
    return samples;
  }

  [[nodiscard]] std::uint64_t judge_hash() const override {
    Hasher hasher;
    hasher.text("modes 1");
    for (const data::Mode& mode : modes_) {
      hasher.values(std::span<const float>({mode.x, mode.y, mode.sigma}));
    }
    return hasher.digest();
  }

 private:
  // A sample that is not finite is near no mode.
  void count(double x, double y, std::span<double> shares) const {
    std::size_t nearest = modes_.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < modes_.size(); ++m) {
      const double dx = x - modes_[m].x;
      const double dy = y - modes_[m].y;
      const double distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        nearest = m;
      }
    }
    if (nearest == modes_.size()) return;
    const double reach = 3 * static_cast<double>(modes_[nearest].sigma);
    shares[nearest] += least <= reach * reach ? 1 : 0;
    shares[modes_.size() + nearest] += 1;
  }

  const data::Dataset& dataset_;
  std::span<const data::Mode> modes_;
};

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Our own logarithm: its bits are the same everywhere, its error of 1e-7 is far below the noise.
double kl_to_uniform(std::span<const double> shares) {
  double kl = 0;
  for (const double share : shares) {
    const double ratio = share * static_cast<double>(shares.size());
    if (share > 0) kl += share * static_cast<double>(math::log(static_cast<float>(ratio)));
  }
  return std::max(kl, 0.0);
}

Score ModesScorer::score(const Statistics& statistics) const {
  const auto within = std::span(statistics.values).first(modes_.size());
  const auto nearest = std::span(statistics.values).last(modes_.size());
  const bool all_finite = sum(nearest) > 1 - 1e-9;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double within_3_sigma = all_finite ? sum(within) : nan;
  const double reverse_kl = all_finite ? kl_to_uniform(nearest) : nan;
  const auto modes =
      static_cast<double>(std::ranges::count_if(within, [](double s) { return s > 0; }));
  return {reverse_kl + (1 - within_3_sigma),
          {{"modes", all_finite ? modes : nan},
           {"within_3_sigma", within_3_sigma},
           {"reverse_kl", reverse_kl}},
          {within.begin(), within.end()}};
}

}  // namespace

std::unique_ptr<Scorer> make_modes_scorer(const data::Dataset& dataset) {
  LIPIZZ_ASSERT(dataset.shape().size() == kCoordinates && !dataset.modes().empty());
  return std::make_unique<ModesScorer>(dataset);
}

}  // namespace lipizz::metrics
