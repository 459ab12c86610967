#include "metrics/sample_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"

namespace lipizz::metrics {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sum_of_squares(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

Estimate mean_of_values(std::span<const double> values) {
  LIPIZZ_ASSERT(!values.empty());
  const auto n = static_cast<double>(values.size());
  if (values.size() == 1) return {values.front(), std::numeric_limits<double>::quiet_NaN()};
  return {mean_of(values), std::sqrt(sum_of_squares(values) / (n * (n - 1)))};
}

Estimate share_of(std::size_t n_successes, std::size_t n) {
  LIPIZZ_ASSERT(n > 0 && n_successes <= n);
  const double share = static_cast<double>(n_successes) / static_cast<double>(n);
  return {share, std::sqrt(share * (1 - share) / static_cast<double>(n))};
}

std::vector<RowBlock> jackknife_blocks(std::size_t n_rows) {
  const std::size_t n = std::min<std::size_t>(10, n_rows);
  std::vector<RowBlock> blocks;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = i * n_rows / n;
    blocks.push_back({begin, (i + 1) * n_rows / n - begin});
  }
  return blocks;
}

double jackknife_error(std::span<const double> values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(values.size());
  return std::sqrt((n - 1) / n * sum_of_squares(values));
}

double jackknife_error_of(std::span<const Statistics> blocks,
                          const std::function<double(const Statistics&)>& figure) {
  if (blocks.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> without;
  for (std::size_t left_out = 0; left_out < blocks.size(); ++left_out) {
    std::vector<Statistics> rest(blocks.begin(), blocks.end());
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    without.push_back(figure(pool(rest)));
  }
  return jackknife_error(without);
}

}  // namespace lipizz::metrics
