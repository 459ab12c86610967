#include "metrics/block_means.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace lipizz::metrics {
namespace {

std::uint32_t blocks_of_a_side(data::SampleShape shape) {
  const std::uint32_t most = std::min(shape.height, shape.width);
  std::uint32_t n = 1;
  while (n < most && (n + 1) * (n + 1) * shape.channels <= BlockMeans::kMostValues) ++n;
  return n;
}

std::uint32_t n_values_of(data::SampleShape shape) {
  return blocks_of_a_side(shape) * blocks_of_a_side(shape) * shape.channels;
}

}  // namespace

BlockMeans::BlockMeans(data::SampleShape shape)
    : Features(n_values_of(shape), 0), shape_(shape), shares_(n_values()), sums_(n_values()) {
  const std::uint32_t n = blocks_of_a_side(shape);
  for (std::uint32_t y = 0; y < shape.height; ++y) {
    for (std::uint32_t x = 0; x < shape.width; ++x) {
      const std::uint32_t block = y * n / shape.height * n + x * n / shape.width;
      places_.push_back(block * shape.channels);
      for (std::uint32_t c = 0; c < shape.channels; ++c) shares_[places_.back() + c] += 1;
    }
  }
  for (double& share : shares_) share = 1 / share;
}

void BlockMeans::compute(std::span<const float> samples, std::span<float> out) {
  const std::size_t size = shape_.size();
  const std::size_t stride = n_values() + std::size_t{1};
  LIPIZZ_ASSERT(samples.size() % size == 0 && out.size() == samples.size() / size * stride);
  for (; !samples.empty(); samples = samples.subspan(size), out = out.subspan(stride)) {
    add_up(samples.first(size));
    for (std::size_t i = 0; i < n_values(); ++i) out[i] = static_cast<float>(sums_[i] * shares_[i]);
    out[n_values()] = 0;
  }
}

void BlockMeans::add_up(std::span<const float> sample) {
  std::ranges::fill(sums_, 0.0);
  const float* value = sample.data();
  for (const std::uint32_t place : places_) {
    for (std::uint32_t c = 0; c < shape_.channels; ++c) sums_[place + c] += *value++;
  }
}

}  // namespace lipizz::metrics
