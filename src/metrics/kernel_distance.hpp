#pragma once

#include <cstddef>

#include "metrics/feature_rows.hpp"

namespace lipizz::metrics {

inline constexpr std::size_t kMostKernelBlockRows = 1000;

/// Kernel distance (KID; Binkowski et al. 2018, "Demystifying MMD GANs"): the unbiased estimate of
/// the squared maximum mean discrepancy (Gretton et al. 2012, equation 3)
///   sum_{i != j} k(x_i, x_j) / (m (m - 1)) + the same of y - 2 sum_{i, j} k(x_i, y_j) / m^2
/// with k(x, y) = (x . y / d + 1)^3: the mean of disjoint blocks, and as its error that of a mean
/// of so many values. May be below 0; of equal distributions it is 0 in the mean.
///
/// Blocks hold as many rows from both sides, in order, from the first one on: as few blocks as have
/// at most `most_rows`, but ten where that leaves twenty rows to each, and of sizes that differ by
/// one at most. The rows that the longer side has beyond the other are left out. One block has no
/// error. NaN with fewer than two rows, or where a number is not finite.
Estimate kernel_distance(const FeatureRows& real, const FeatureRows& generated,
                         std::size_t most_rows = kMostKernelBlockRows);

/// How many blocks it makes of `n_rows` from both sides.
std::size_t n_kernel_blocks(std::size_t n_rows, std::size_t most_rows = kMostKernelBlockRows);

}  // namespace lipizz::metrics
