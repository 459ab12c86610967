#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lipizz::data {

/// The dimensions of one sample.
struct SampleShape {
  std::uint32_t height = 1;
  std::uint32_t width = 1;
  std::uint32_t channels = 1;
  /// Values per sample; images are stored row by row, channels last.
  [[nodiscard]] std::uint32_t size() const { return height * width * channels; }
};

enum class SampleKind { kImage, kPoint };

/// One of the true modes of a synthetic point set.
struct Mode {
  float x;
  float y;
  float sigma;
};

/// A dataset without its samples.
struct Description {
  std::string name;
  SampleKind kind = SampleKind::kImage;
  SampleShape shape;
  std::uint32_t n_condition_channels = 0;
  std::uint32_t n_train = 0;
  std::uint32_t n_test = 0;
  std::uint32_t n_classes = 0;
  std::vector<Mode> modes;

  [[nodiscard]] std::uint32_t n_samples() const { return n_train + n_test; }
  /// The first of the training samples that a run may use; `max_samples` 0: all.
  [[nodiscard]] std::uint32_t n_train_within(std::uint32_t max_samples) const {
    return max_samples == 0 ? n_train : std::min(n_train, max_samples);
  }
  /// Bytes of one value as it is stored: pixels have 8 bits.
  [[nodiscard]] std::size_t value_bytes() const {
    return kind == SampleKind::kImage ? sizeof(std::uint8_t) : sizeof(float);
  }
  [[nodiscard]] std::size_t samples_bytes() const {
    return std::size_t{n_samples()} * shape.size() * value_bytes();
  }
  /// Bytes of all samples with their labels, which the ranks of a node share.
  [[nodiscard]] std::size_t content_bytes() const { return samples_bytes() + n_samples(); }
};

}  // namespace lipizz::data
