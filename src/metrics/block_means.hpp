#pragma once

#include <vector>

#include "metrics/features.hpp"

namespace lipizz::metrics {

/// An image cut into equal blocks, n x n of them, and in each the mean of each channel: values
/// [n, n, channels], n being the largest that makes no more than kMostValues of them. Where n does
/// not divide the dimension, blocks differ by a row or column. They tell no classes.
class BlockMeans final : public Features {
 public:
  static constexpr std::uint32_t kMostValues = 96;

  explicit BlockMeans(data::SampleShape shape);

  void compute(std::span<const float> samples, std::span<float> out) override;

 private:
  void add_up(std::span<const float> sample);

  data::SampleShape shape_;
  std::vector<std::uint32_t> places_;  // of each pixel, where its block's values lie
  std::vector<double> shares_;         // of each value, one over the pixels of its block
  std::vector<double> sums_;           // of the sample at hand
};

}  // namespace lipizz::metrics
