#include "metrics/fourier_features.hpp"

#include <array>
#include <cmath>

#include "core/check.hpp"
#include "core/math.hpp"
#include "core/random.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::array kScales{1.0, 2.0, 4.0, 8.0};
constexpr double kTurn = 6.283185307179586477;

// In turns, not radians.
std::vector<double> draw_directions(std::size_t n_values) {
  const Random random(kSeed, Purpose::kScoreDirections);
  std::vector<float> normals(FourierFeatures::kDirections * n_values);
  random.normals(0, FourierFeatures::kDirections, static_cast<std::uint32_t>(n_values), normals);
  std::vector<double> directions(normals.size());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double scale = kScales[i / n_values % kScales.size()];
    directions[i] = scale * normals[i] / std::sqrt(static_cast<double>(n_values)) / kTurn;
  }
  return directions;
}

// Both functions of an angle in turns.
math::SinCos sincos(double turns) {
  const auto within = static_cast<float>(turns - std::floor(turns));
  return math::sincos_turns(within >= 1 ? 0 : within);  // rounding may reach 1
}

}  // namespace

FourierFeatures::FourierFeatures(const data::Dataset& dataset)
    : Features(2 * kDirections, 0),
      means_(dataset.shape().size()),
      scales_(means_.size()),
      directions_(draw_directions(means_.size())) {
  const std::uint32_t n = dataset.n_train_full();
  std::vector<double> squares(means_.size());
  std::vector<float> sample(means_.size());
  for (std::uint32_t index = 0; index < n; ++index) {
    dataset.read_train({&index, 1}, sample);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const double step = sample[i] - means_[i];  // Welford 1962
      means_[i] += step / (index + 1.0);
      squares[i] += step * (sample[i] - means_[i]);
    }
  }
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    const double deviation = std::sqrt(squares[i] / n);
    scales_[i] = deviation > 0 ? 1 / deviation : 1;
  }
}

void FourierFeatures::compute(std::span<const float> samples, std::span<float> out) {
  const std::size_t size = means_.size();
  const std::size_t stride = n_values() + std::size_t{1};
  LIPIZZ_ASSERT(samples.size() % size == 0 && out.size() == samples.size() / size * stride);
  for (; !samples.empty(); samples = samples.subspan(size), out = out.subspan(stride)) {
    for (std::size_t k = 0; k < kDirections; ++k) {
      double turns = 0;
      for (std::size_t i = 0; i < size; ++i) {
        turns += directions_[k * size + i] * ((samples[i] - means_[i]) * scales_[i]);
      }
      const math::SinCos both = sincos(turns);
      out[2 * k] = both.cos;
      out[2 * k + 1] = both.sin;
    }
    out[n_values()] = 0;
  }
}

}  // namespace lipizz::metrics
