#include "metrics/image_similarity.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/math.hpp"

namespace lipizz::metrics {
namespace {

constexpr double kLog10 = 2.30258509299404568402;

using Window = std::array<double, kSsimWindow>;

Window gaussian_window() {
  constexpr double kDeviation = 1.5;
  Window window;
  double sum = 0;
  for (std::uint32_t i = 0; i < kSsimWindow; ++i) {
    const double x = (static_cast<double>(i) - kSsimWindow / 2) / kDeviation;
    sum += window[i] = math::portable_exp(-x * x / 2);
  }
  for (double& weight : window) weight /= sum;
  return window;
}

// A plane of numbers, row by row.
struct Plane {
  std::size_t height;
  std::size_t width;
  std::vector<double> values;
};

// Weighted means of all windows that lie within the plane, along rows and then along columns.
Plane smoothed(const Plane& plane, const Window& window) {
  const std::size_t width = plane.width - kSsimWindow + 1;
  const std::size_t height = plane.height - kSsimWindow + 1;
  std::vector<double> rows(plane.height * width);
  for (std::size_t y = 0; y < plane.height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const double* const values = &plane.values[y * plane.width + x];
      double sum = 0;
      for (std::size_t i = 0; i < kSsimWindow; ++i) sum += window[i] * values[i];
      rows[y * width + x] = sum;
    }
  }
  Plane result{height, width, std::vector<double>(height * width)};
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    for (std::size_t k = 0; k < kSsimWindow; ++k) {
      result.values[i] += window[k] * rows[i + k * width];
    }
  }
  return result;
}

Plane channel_of(std::span<const float> image, ImageSize size, std::uint32_t channel) {
  Plane plane{size.height, size.width, {}};
  for (std::size_t i = channel; i < image.size(); i += size.channels) {
    plane.values.push_back(image[i]);
  }
  return plane;
}

Plane product(const Plane& a, const Plane& b) {
  Plane result = a;
  for (std::size_t i = 0; i < a.values.size(); ++i) result.values[i] *= b.values[i];
  return result;
}

double similarity_of_planes(const Plane& a, const Plane& b, const Window& window, double range) {
  const Plane mean_a = smoothed(a, window);
  const Plane mean_b = smoothed(b, window);
  const Plane square_a = smoothed(product(a, a), window);
  const Plane square_b = smoothed(product(b, b), window);
  const Plane both = smoothed(product(a, b), window);
  const double c1 = 0.01 * range * (0.01 * range);
  const double c2 = 0.03 * range * (0.03 * range);
  double sum = 0;
  for (std::size_t i = 0; i < both.values.size(); ++i) {
    const double ma = mean_a.values[i];
    const double mb = mean_b.values[i];
    const double variances = square_a.values[i] - ma * ma + (square_b.values[i] - mb * mb);
    const double covariance = both.values[i] - ma * mb;
    sum +=
        (2 * ma * mb + c1) * (2 * covariance + c2) / ((ma * ma + mb * mb + c1) * (variances + c2));
  }
  return sum / static_cast<double>(both.values.size());
}

}  // namespace

double mean_absolute_error(std::span<const float> a, std::span<const float> b, double range) {
  LIPIZZ_ASSERT(a.size() == b.size() && !a.empty());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double{a[i]} - b[i]);
  return sum / range / static_cast<double>(a.size());
}

double peak_signal_to_noise(std::span<const float> a, std::span<const float> b, double range) {
  LIPIZZ_ASSERT(a.size() == b.size() && !a.empty());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = double{a[i]} - b[i];
    sum += difference * difference;
  }
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return 10 / kLog10 * math::portable_log(range * range * static_cast<double>(a.size()) / sum);
}

double structural_similarity(std::span<const float> a, std::span<const float> b, ImageSize size,
                             double range) {
  LIPIZZ_ASSERT(a.size() == b.size() &&
                a.size() == std::size_t{size.height} * size.width * size.channels);
  LIPIZZ_ASSERT(size.height >= kSsimWindow && size.width >= kSsimWindow);
  const Window window = gaussian_window();
  double sum = 0;
  for (std::uint32_t channel = 0; channel < size.channels; ++channel) {
    sum += similarity_of_planes(channel_of(a, size, channel), channel_of(b, size, channel), window,
                                range);
  }
  return sum / size.channels;
}

}  // namespace lipizz::metrics
