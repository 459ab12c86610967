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
  bool operator==(const SampleShape&) const = default;
};

/// Images have pixels of 8 bits. Points are vectors of numbers of any range, in `channels`.
enum class SampleKind { kImage, kPoint };

/// The index of a sample's class.
using Label = std::uint16_t;
inline constexpr std::uint32_t kMostClasses = 65'536;

/// The form that each sample of a dataset has, however many there are.
struct SampleForm {
  SampleKind kind = SampleKind::kImage;
  SampleShape shape;
  /// The first channels of a sample, which a generator is given to make the others; pairs of
  /// images have some.
  std::uint32_t n_condition_channels = 0;
  std::uint32_t n_classes = 0;  // 0: no labels
  /// Where each channel shows something of so many classes of its own, and a label has these as its
  /// digits, the first channel's first; else 0.
  std::uint32_t n_channel_classes = 0;
  bool operator==(const SampleForm&) const = default;
};

/// `28x28x1`, and of points `2`: the shape as settings have it.
std::string shape_text(const SampleForm& form);

/// One of the true modes of a synthetic point set.
struct Mode {
  float x;
  float y;
  float sigma;
};

/// A dataset without its samples.
struct Description : SampleForm {
  std::string name;
  std::uint32_t n_train = 0;
  std::uint32_t n_test = 0;
  std::vector<Mode> modes;
  bool is_streamed = false;  // samples are read from files as they are needed, and not kept

  [[nodiscard]] std::uint32_t n_samples() const { return n_train + n_test; }
  /// The first of the training samples that a run may use; `max_samples` 0: all.
  [[nodiscard]] std::uint32_t n_train_within(std::uint32_t max_samples) const {
    return max_samples == 0 ? n_train : std::min(n_train, max_samples);
  }
  /// Bytes of one value as it is stored: pixels have 8 bits.
  [[nodiscard]] std::size_t value_bytes() const {
    return kind == SampleKind::kImage ? sizeof(std::uint8_t) : sizeof(float);
  }
  [[nodiscard]] std::size_t sample_bytes() const { return shape.size() * value_bytes(); }
  [[nodiscard]] std::size_t samples_bytes() const { return n_samples() * sample_bytes(); }
  [[nodiscard]] std::size_t labels_bytes() const { return n_samples() * sizeof(Label); }
  /// Bytes of memory that the samples with their labels take, which the ranks of a node share.
  [[nodiscard]] std::size_t content_bytes() const {
    return labels_bytes() + (is_streamed ? 0 : samples_bytes());
  }
};

}  // namespace lipizz::data
