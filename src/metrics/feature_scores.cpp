#include "metrics/feature_scores.hpp"

#include <limits>

#include "core/check.hpp"
#include "core/finite.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/frechet.hpp"
#include "metrics/kernel_distance.hpp"
#include "metrics/manifold.hpp"
#include "metrics/sample_error.hpp"

namespace lipizz::metrics {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> mean_of(const FeatureRows& rows) {
  std::vector<double> mean(rows.n_values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.n_values; ++k) mean[k] += rows.row(i)[k];
  }
  for (double& value : mean) value /= static_cast<double>(rows.size());
  return mean;
}

Statistics statistics_of(const FeatureRows& rows, const std::vector<double>& origin) {
  FeatureSums sums(static_cast<std::uint32_t>(rows.n_values), 0, origin);
  for (std::size_t i = 0; i < rows.size(); ++i) sums.add_row(rows.row(i), 0);
  return sums.mean();
}

Figure figure(std::string name, Figure::Better better, const Estimate& estimate) {
  return {std::move(name), better, estimate.value, estimate.error, kNan};
}

}  // namespace

Estimate frechet_distance(const FeatureRows& real, const FeatureRows& generated) {
  LIPIZZ_ASSERT(real.n_values == generated.n_values && real.size() > 1 && generated.size() > 1);
  if (!all_finite(real.values) || !all_finite(generated.values)) return {kNan, kNan};
  const auto d = static_cast<std::uint32_t>(real.n_values);
  const std::vector<double> origin = mean_of(real);
  const FrechetDistance distance(FeatureSums::gaussian(statistics_of(real, origin), d));
  std::vector<Statistics> parts;
  for (const RowBlock& block : jackknife_blocks(generated.size())) {
    parts.push_back(statistics_of(generated.part(block.begin, block.n_rows), origin));
  }
  const auto figure = [&](const Statistics& s) { return distance.to(FeatureSums::gaussian(s, d)); };
  const double value = figure(pool(parts));
  return {value, d > kMostJackknifeFeatures ? kNan : jackknife_error_of(parts, figure)};
}

std::vector<Figure> score_neighbourhoods(const FeatureRows& real, const FeatureRows& generated) {
  const Manifold of_rows = manifold(real, generated);
  const auto higher = Figure::Better::kHigher;
  return {figure("kernel", Figure::Better::kLower, kernel_distance(real, generated)),
          figure("precision", higher, of_rows.precision), figure("recall", higher, of_rows.recall),
          figure("density", higher, of_rows.density), figure("coverage", higher, of_rows.coverage)};
}

std::vector<Figure> score_features(const FeatureRows& real, const FeatureRows& generated) {
  std::vector<Figure> figures = score_neighbourhoods(real, generated);
  figures.insert(figures.begin(),
                 figure("frechet", Figure::Better::kLower, frechet_distance(real, generated)));
  return figures;
}

}  // namespace lipizz::metrics
