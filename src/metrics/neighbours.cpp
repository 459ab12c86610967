#include "metrics/neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "core/simd.hpp"

namespace lipizz::metrics {
namespace {

using Packed = PackedRows<float>;
constexpr std::size_t kWidth = Packed::kPanelRows;
constexpr std::size_t kRows = Packed::kTileRows;
constexpr std::size_t kChunkRows = 512;  // of the rows that stay in a cache
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The first pass may be wrong by this share of the sum of two rows' squared norms. With u the
// rounding of floats, a product of d terms in any order is off by at most d u |x| |y|, thus twice
// it by d u (|x|^2 + |y|^2); rounding the centred rows changes a squared distance by at most
// 2 u (|x| + |y|)^2, which is no more than 4 u (|x|^2 + |y|^2); norms and sums take as much again.
double share_of_error(std::size_t n_values) {
  constexpr double kUnit = 0x1p-24;
  return 1.01 * kUnit * (static_cast<double>(n_values) + 16);
}

// The pairs of a tile whose bound is not above the higher one of their two limits: of each row a
// bit for each column.
LIPIZZ_MULTIVERSION void find_near(const float* tile, const float* row_norms,
                                   const float* row_limits, const float* column_norms,
                                   const float* column_limits, std::uint32_t* found) {
  for (std::size_t r = 0; r < kRows; ++r) {
    std::uint32_t bits = 0;
    for (std::size_t c = 0; c < kWidth; ++c) {
      const float bound = (row_norms[r] + column_norms[c]) - 2 * tile[r * kWidth + c];
      const float limit = row_limits[r] > column_limits[c] ? row_limits[r] : column_limits[c];
      bits |= static_cast<std::uint32_t>(bound <= limit) << c;
    }
    found[r] = bits;
  }
}

LIPIZZ_MULTIVERSION double squared(const float* a, const float* b, std::size_t n) {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  for (; n >= kLanes; n -= kLanes, a += kLanes, b += kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double difference = double{a[i]} - double{b[i]};
      sums[i] += difference * difference;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = double{a[i]} - double{b[i]};
    sums[i] += difference * difference;
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

void add_to(std::vector<double>& sums, const FeatureRows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.n_values; ++k) sums[k] += rows.row(i)[k];
  }
}

double largest_beside(const std::vector<double>& centre, const FeatureRows& rows) {
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.n_values; ++k) {
      largest = std::max(largest, std::abs(rows.row(i)[k] - centre[k]));
    }
  }
  return largest;
}

// In the first pass's numbers, rounded up. Nothing is nearer than 0.
float first_limit(double limit, double scale) {
  if (!(limit > 0)) return -kInfinity;
  const double scaled = std::min<double>(limit * scale * scale, 1e38);
  return std::nextafter(static_cast<float>(scaled), kInfinity);
}

// Limits of all rows of all panels; rows beyond the last have none.
std::vector<float> first_limits(std::span<const double> limits, double scale,
                                std::size_t n_padded) {
  std::vector<float> first(n_padded, -kInfinity);
  std::ranges::transform(limits, first.begin(),
                         [&](double limit) { return first_limit(limit, scale); });
  return first;
}

}  // namespace

double squared_distance(std::span<const float> a, std::span<const float> b) {
  LIPIZZ_ASSERT(a.size() == b.size());
  return squared(a.data(), b.data(), a.size());
}

NeighbourRows::Frame NeighbourRows::Frame::of(const FeatureRows& a, const FeatureRows& b) {
  Frame frame{std::vector<double>(a.n_values), 1};
  add_to(frame.centre, a);
  add_to(frame.centre, b);
  const auto n = static_cast<double>(a.size() + b.size());
  for (double& value : frame.centre) value /= n;
  const double largest = std::max(largest_beside(frame.centre, a), largest_beside(frame.centre, b));
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest is below 2^exponent
  frame.scale = std::ldexp(1.0, -exponent);
  return frame;
}

NeighbourRows::NeighbourRows(const FeatureRows& rows, const Frame& frame)
    : rows_(rows),
      frame_(frame),
      packed_(rows.size(), rows.n_values),
      lower_norms_(packed_.n_panels() * kWidth, kInfinity) {
  const double error = share_of_error(rows.n_values);
  const double tiny = 0x1p-100 * static_cast<double>(rows.n_values);  // what is lost below 2^-126
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double norm = 0;
    for (std::size_t k = 0; k < rows.n_values; ++k) {
      const auto value = static_cast<float>((rows.row(i)[k] - frame.centre[k]) * frame.scale);
      packed_.set(i, k, value);
      norm += double{value} * double{value};
    }
    lower_norms_[i] = static_cast<float>((1 - error) * norm - tiny);
  }
}

// Visits pairs of rows of two sets, tile by tile, with limits that may shrink meanwhile.
class NeighbourRows::Sweep {
 public:
  Sweep(const NeighbourRows& a, std::vector<float>& limits, const NeighbourRows& b,
        std::vector<float>& other_limits)
      : a_(a), limits_(limits), b_(b), other_limits_(other_limits) {}

  template <class Visit>
  void all_pairs(const Visit& visit) {
    for (std::size_t begin = 0; begin < a_.size(); begin += kChunkRows) {
      const std::size_t end = std::min(begin + kChunkRows, a_.size());
      for (std::size_t panel = 0; panel < b_.packed_.n_panels(); ++panel) {
        for (std::size_t row = begin; row < end; row += kRows) tile(row, panel, visit);
      }
    }
  }

  // One set with itself: each pair once, the lower row first.
  template <class Visit>
  void each_pair_once(const Visit& visit) {
    for (std::size_t begin = 0; begin < a_.size(); begin += kChunkRows) {
      const std::size_t end = std::min(begin + kChunkRows, a_.size());
      for (std::size_t panel = begin / kWidth; panel < b_.packed_.n_panels(); ++panel) {
        for (std::size_t row = begin; row < std::min(end, (panel + 1) * kWidth); row += kRows) {
          tile(row, panel, [&](std::size_t i, std::size_t j) {
            if (i < j) visit(i, j);
          });
        }
      }
    }
  }

 private:
  template <class Visit>
  void tile(std::size_t row, std::size_t panel, const Visit& visit) {
    a_.packed_.multiply(row, b_.packed_, panel, products_);
    const std::size_t column = panel * kWidth;
    find_near(products_.front().data(), &a_.lower_norms_[row], &limits_[row],
              &b_.lower_norms_[column], &other_limits_[column], found_.data());
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::uint32_t bits = found_[r]; bits != 0; bits &= bits - 1) {
        visit(row + r, column + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

  const NeighbourRows& a_;
  std::vector<float>& limits_;
  const NeighbourRows& b_;
  std::vector<float>& other_limits_;
  Packed::Tile products_;
  std::array<std::uint32_t, kRows> found_;
};

std::vector<double> NeighbourRows::nearest(std::size_t k) const {
  LIPIZZ_ASSERT(k > 0 && k < size());
  // Each row's k least distances so far, in order, infinite at first.
  std::vector<double> least(size() * k, std::numeric_limits<double>::infinity());
  std::vector<float> limits(lower_norms_.size(), -kInfinity);
  std::fill_n(limits.begin(), size(), std::numeric_limits<float>::max());
  const auto take = [&](std::size_t row, double distance) {
    const auto begin = least.begin() + static_cast<std::ptrdiff_t>(row * k);
    const auto last = begin + static_cast<std::ptrdiff_t>(k) - 1;
    if (!(distance < *last)) return;
    const auto place = std::upper_bound(begin, last, distance);
    std::copy_backward(place, last, last + 1);
    *place = distance;
    limits[row] = first_limit(*last, frame_.scale);
  };
  Sweep(*this, limits, *this, limits).each_pair_once([&](std::size_t i, std::size_t j) {
    const double distance = squared_distance(rows_.row(i), rows_.row(j));
    take(i, distance);
    take(j, distance);
  });
  std::vector<double> kth(size());
  for (std::size_t row = 0; row < size(); ++row) kth[row] = least[(row + 1) * k - 1];
  return kth;
}

void NeighbourRows::visit_near(
    std::span<const double> limits, const NeighbourRows& other,
    std::span<const double> other_limits,
    const std::function<void(std::size_t, std::size_t, double)>& visit) const {
  LIPIZZ_ASSERT(limits.size() == size() && other_limits.size() == other.size());
  LIPIZZ_ASSERT(&frame_ == &other.frame_);
  auto first = first_limits(limits, frame_.scale, lower_norms_.size());
  auto other_first = first_limits(other_limits, frame_.scale, other.lower_norms_.size());
  Sweep(*this, first, other, other_first).all_pairs([&](std::size_t i, std::size_t j) {
    const double distance = squared_distance(rows_.row(i), other.rows_.row(j));
    if (distance < limits[i] || distance < other_limits[j]) visit(i, j, distance);
  });
}

}  // namespace lipizz::metrics
