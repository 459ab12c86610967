#include "metrics/manifold.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/finite.hpp"
#include "metrics/neighbours.hpp"
#include "metrics/sample_error.hpp"

namespace lipizz::metrics {
namespace {

FeatureRows first_of(const FeatureRows& rows) {
  return rows.part(0, std::min(rows.size(), kMostManifoldRows));
}

Estimate share_that_is_set(const std::vector<bool>& flags) {
  return share_of(static_cast<std::size_t>(std::ranges::count(flags, true)), flags.size());
}

Manifold of_rows(const FeatureRows& real, const FeatureRows& generated, std::size_t k) {
  const auto frame = NeighbourRows::Frame::of(real, generated);
  const NeighbourRows real_rows(real, frame);
  const NeighbourRows generated_rows(generated, frame);
  const std::vector<double> real_radii = real_rows.nearest(k);
  const std::vector<double> generated_radii = generated_rows.nearest(k);
  std::vector<double> balls(generated.size());  // real ones around each generated row, over k
  std::vector<bool> is_covered(real.size());
  std::vector<bool> is_recalled(real.size());
  real_rows.visit_near(real_radii, generated_rows, generated_radii,
                       [&](std::size_t i, std::size_t j, double distance) {
                         if (distance < generated_radii[j]) is_recalled[i] = true;
                         if (!(distance < real_radii[i])) return;
                         is_covered[i] = true;
                         balls[j] += 1;
                       });
  std::vector<bool> is_precise(generated.size());
  for (std::size_t j = 0; j < balls.size(); ++j) {
    is_precise[j] = balls[j] > 0;
    balls[j] /= static_cast<double>(k);
  }
  return {share_that_is_set(is_precise), share_that_is_set(is_recalled), mean_of_values(balls),
          share_that_is_set(is_covered)};
}

}  // namespace

Manifold manifold(const FeatureRows& real, const FeatureRows& generated, std::size_t k) {
  LIPIZZ_ASSERT(real.n_values == generated.n_values && k > 0);
  const FeatureRows a = first_of(real);
  const FeatureRows b = first_of(generated);
  if (std::min(a.size(), b.size()) <= k || !all_finite(a.values) || !all_finite(b.values)) {
    const Estimate none{std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::quiet_NaN()};
    return {none, none, none, none};
  }
  return of_rows(a, b, k);
}

}  // namespace lipizz::metrics
