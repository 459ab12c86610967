#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lipizz::metrics {

/// A Gaussian by its first two moments. covariance: [d, d], symmetric.
struct Gaussian {
  std::vector<double> mean;
  std::vector<double> covariance;
};

/// Frechet distance (squared 2-Wasserstein distance) of Gaussians to a fixed one:
///   |m1 - m2|^2 + tr(S1 + S2 - 2 (S1^1/2 S2 S1^1/2)^1/2)
/// (Dowson and Landau 1982; Heusel et al. 2017, "GANs trained by a two time-scale update rule").
///
/// Roots come from symmetric eigendecompositions in double; eigenvalues that round-off made
/// negative count as zero, so singular covariances are fine. The same bits on every machine of one
/// build: the baseline instruction set, one thread, nothing cut by cache sizes.
class FrechetDistance {
 public:
  explicit FrechetDistance(Gaussian reference);
  /// 0 or more; NaN when `other` has a number that is not finite. About d^3 operations.
  [[nodiscard]] double to(const Gaussian& other) const;

 private:
  Gaussian reference_;
  std::vector<double> root_;  // [d, d], the symmetric square root of the covariance
};

}  // namespace lipizz::metrics
