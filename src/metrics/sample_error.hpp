#pragma once

#include <functional>
#include <span>
#include <vector>

#include "metrics/feature_rows.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// Standard errors.

/// The mean of independent values, at least one, and its standard error, the root of
/// sum (v - mean)^2 / (n (n - 1)); of one value it is NaN.
Estimate mean_of_values(std::span<const double> values);

/// A share of `n` trials and the standard error of the binomial distribution, the root of
/// p (1 - p) / n.
Estimate share_of(std::size_t n_successes, std::size_t n);

/// `n_rows` rows from `begin` on.
struct RowBlock {
  std::size_t begin;
  std::size_t n_rows;
};

/// The blocks of a jackknife over n rows: ten whose sizes differ by one at most, or one for each
/// row where there are fewer.
std::vector<RowBlock> jackknife_blocks(std::size_t n_rows);

/// The standard error of a figure by the jackknife over blocks (Efron and Tibshirani 1993, chapter
/// 11): values are the figure without block 0, 1, ..., blocks being disjoint and of one size:
/// the root of (g - 1) / g * sum (v - mean)^2 over g blocks. NaN of fewer than two.
double jackknife_error(std::span<const double> values);

/// The same of a figure of the statistics of samples, from those of the blocks.
double jackknife_error_of(std::span<const Statistics> blocks,
                          const std::function<double(const Statistics&)>& figure);

}  // namespace lipizz::metrics
