#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coev/generator_feed.hpp"
#include "coev/generator_runner.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// The diversity of a generator: the mean absolute difference between two of its samples, over all
/// values of a sample (the diversity that IE-GAN's fitness adds to the quality; Li et al. 2021).
/// Departure: each sample is compared with the next one alone, and all generators of a generation
/// make theirs of the same noise.
class SampleDiversity {
 public:
  /// The references must outlive it.
  SampleDiversity(nn::Device& device, const Settings& settings, const data::Dataset& dataset);

  /// Takes Settings' operators.fitness.n_samples samples, two at least. generator: parameters
  /// [n_padded]. 0 where all samples are alike, NaN where one is not finite.
  double of(std::span<const float> generator, Generation generation);

 private:
  const Settings& settings_;
  GeneratorFeed feed_;
  GeneratorRunner generator_;
};

/// The mean absolute difference between neighbouring rows of samples [n, size].
class NeighbouringRows {
 public:
  explicit NeighbouringRows(std::size_t size) : size_(size) {}
  /// The next rows; they are compared with the last of those before, too.
  void add(std::span<const float> rows);
  [[nodiscard]] double mean() const;

 private:
  std::size_t size_;
  std::vector<float> last_;
  double sum_ = 0;
  std::size_t n_values_ = 0;
};

}  // namespace lipizz::coev
