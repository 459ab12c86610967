#include "metrics/kernel_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/simd.hpp"
#include "metrics/packed_rows.hpp"
#include "metrics/sample_error.hpp"

namespace lipizz::metrics {
namespace {

using Packed = PackedRows<double>;
constexpr std::size_t kWidth = Packed::kPanelRows;
constexpr std::size_t kRows = Packed::kTileRows;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Packed packed(const FeatureRows& rows) {
  Packed packed(rows.size(), rows.n_values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.n_values; ++k) packed.set(i, k, rows.row(i)[k]);
  }
  return packed;
}

// Replaces products by their kernel.
LIPIZZ_MULTIVERSION void apply_kernel(double* products, double scale) {
  for (std::size_t i = 0; i < kRows * kWidth; ++i) {
    const double base = products[i] * scale + 1;
    products[i] = base * base * base;
  }
}

// Adds the first n_rows rows of a tile to one sum for each column.
LIPIZZ_MULTIVERSION void add_rows(const double* tile, std::size_t n_rows, double* sums) {
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) sums[c] += tile[r * kWidth + c];
  }
}

// Sums of kernels of two sets of n rows each, by columns of panels.
class KernelSum {
 public:
  KernelSum(std::size_t n, std::size_t n_values)
      : n_(n), scale_(1.0 / static_cast<double>(n_values)) {}

  // Over all pairs of one row from each.
  double of(const Packed& a, const Packed& b) {
    double sum = 0;
    for (std::size_t panel = 0; panel < b.n_panels(); ++panel) {
      sum += of_panel(a, b, panel, 0, n_);
    }
    return sum;
  }

  // Over all ordered pairs of different rows: those of two panels count twice.
  double of_pairs(const Packed& a) {
    double sum = 0;
    for (std::size_t panel = 0; panel < a.n_panels(); ++panel) {
      sum += 2 * of_panel(a, a, panel, 0, panel * kWidth) + of_diagonal(a, panel);
    }
    return sum;
  }

 private:
  double of_panel(const Packed& a, const Packed& b, std::size_t panel, std::size_t begin,
                  std::size_t end) {
    std::array<double, kWidth> sums{};
    for (std::size_t row = begin; row < end; row += kRows) {
      compute(a, row, b, panel);
      add_rows(tile_.front().data(), std::min(kRows, end - row), sums.data());
    }
    double sum = 0;
    for (std::size_t c = 0; c < columns_of(panel); ++c) sum += sums[c];
    return sum;
  }

  double of_diagonal(const Packed& a, std::size_t panel) {
    double sum = 0;
    for (std::size_t row = 0; row < columns_of(panel); row += kRows) {
      compute(a, panel * kWidth + row, a, panel);
      for (std::size_t r = 0; r < std::min(kRows, columns_of(panel) - row); ++r) {
        for (std::size_t c = 0; c < columns_of(panel); ++c) sum += c == row + r ? 0 : tile_[r][c];
      }
    }
    return sum;
  }

  void compute(const Packed& a, std::size_t row, const Packed& b, std::size_t panel) {
    a.multiply(row, b, panel, tile_);
    apply_kernel(tile_.front().data(), scale_);
  }

  [[nodiscard]] std::size_t columns_of(std::size_t panel) const {
    return std::min(kWidth, n_ - panel * kWidth);
  }

  std::size_t n_;
  double scale_;
  Packed::Tile tile_;
};

double distance_of_block(const FeatureRows& real, const FeatureRows& generated) {
  const std::size_t n = real.size();
  const Packed a = packed(real);
  const Packed b = packed(generated);
  KernelSum sum(n, real.n_values);
  const auto m = static_cast<double>(n);
  return (sum.of_pairs(a) + sum.of_pairs(b)) / (m * (m - 1)) - 2 * sum.of(a, b) / (m * m);
}

}  // namespace

std::size_t n_kernel_blocks(std::size_t n_rows, std::size_t most_rows) {
  constexpr std::size_t kWanted = 10;
  constexpr std::size_t kFewestRows = 20;
  const std::size_t needed = (n_rows + most_rows - 1) / most_rows;
  return std::max(needed, std::clamp<std::size_t>(n_rows / kFewestRows, 1, kWanted));
}

Estimate kernel_distance(const FeatureRows& real, const FeatureRows& generated,
                         std::size_t most_rows) {
  LIPIZZ_ASSERT(real.n_values == generated.n_values && most_rows >= 2);
  const std::size_t n = std::min(real.size(), generated.size());
  if (n < 2) return {kNan, kNan};
  const std::size_t n_blocks = n_kernel_blocks(n, most_rows);
  std::vector<double> distances;
  for (std::size_t block = 0; block < n_blocks; ++block) {
    const std::size_t begin = block * n / n_blocks;
    const std::size_t rows = (block + 1) * n / n_blocks - begin;
    distances.push_back(distance_of_block(real.part(begin, rows), generated.part(begin, rows)));
  }
  const Estimate mean = mean_of_values(distances);
  return std::isfinite(mean.value) ? mean : Estimate{kNan, kNan};
}

}  // namespace lipizz::metrics
