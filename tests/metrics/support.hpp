#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "nn/exec/host_device.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::metrics::testing {

/// This processor, with the judge's engine, the reference.
inline nn::HostDevice& host() {
  static nn::HostDevice device;
  return device;
}

inline const Progress kUnwatched = [](double) {};

/// 16x16 images of three classes, each bright in a third of the rows of its own, with noise.
class StripeImages : public data::Dataset {
 public:
  static constexpr std::uint32_t kSize = 16 * 16;  // values of a sample

  explicit StripeImages(std::uint32_t max_samples = 0) : max_samples_(max_samples) {}

  [[nodiscard]] std::string_view name() const override { return "stripes"; }
  [[nodiscard]] data::SampleKind kind() const override { return data::SampleKind::kImage; }
  [[nodiscard]] data::SampleShape shape() const override { return {16, 16, 1}; }
  [[nodiscard]] std::uint32_t n_train() const override {
    return max_samples_ == 0 ? n_train_full() : max_samples_;
  }
  [[nodiscard]] std::uint32_t n_train_full() const override { return 1250; }
  [[nodiscard]] std::uint32_t n_test() const override { return 600; }
  [[nodiscard]] std::uint32_t n_classes() const override { return labelled_ ? 3 : 0; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    n_reads_ += 1;
    read(indices, 0, out);
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read(indices, n_train_full(), out);
  }
  [[nodiscard]] data::Label train_label(std::uint32_t index) const override { return index % 3; }
  [[nodiscard]] data::Label test_label(std::uint32_t index) const override {
    return train_label(n_train_full() + index);
  }
  [[nodiscard]] std::span<const data::Mode> modes() const override { return {}; }
  [[nodiscard]] std::uint64_t content_hash() const override { return content_hash_; }

  void forget_labels() { labelled_ = false; }
  void pretend_other_content() { content_hash_ += 1; }
  /// How often training samples were read.
  [[nodiscard]] int n_reads() const { return n_reads_; }

 private:
  void read(std::span<const std::uint32_t> indices, std::uint32_t first,
            std::span<float> out) const {
    const Random random(7, Purpose::kTest);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::uint32_t sample = first + indices[i];
      const std::uint32_t stripe = sample % 3;
      for (std::uint32_t pixel = 0; pixel < kSize; ++pixel) {
        const float level = 3 * pixel / kSize == stripe ? 0.5f : -0.8f;
        out[i * kSize + pixel] = level + 0.4f * (random.uniform(sample, pixel) - 0.5f);
      }
    }
  }

  std::uint32_t max_samples_;
  std::uint64_t content_hash_ = 0x5712;
  bool labelled_ = true;
  mutable int n_reads_ = 0;
};

/// Three modes on a line; the test samples lie exactly on them in turn.
class LinePoints : public data::Dataset {
 public:
  explicit LinePoints(data::Mode first = {0, 0, 0.1f})
      : modes_{first, {1, 0, 0.1f}, {2, 0, 0.1f}} {}

  [[nodiscard]] std::string_view name() const override { return "line3"; }
  [[nodiscard]] data::SampleKind kind() const override { return data::SampleKind::kPoint; }
  [[nodiscard]] data::SampleShape shape() const override { return {1, 1, 2}; }
  [[nodiscard]] std::uint32_t n_train() const override { return 30; }
  [[nodiscard]] std::uint32_t n_train_full() const override { return 30; }
  [[nodiscard]] std::uint32_t n_test() const override { return 9; }
  [[nodiscard]] std::uint32_t n_classes() const override { return 3; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read_test(indices, out);
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const data::Mode& mode = modes_[indices[i] % 3];
      out[2 * i] = mode.x;
      out[2 * i + 1] = mode.y;
    }
  }
  [[nodiscard]] data::Label train_label(std::uint32_t) const override { return 0; }
  [[nodiscard]] data::Label test_label(std::uint32_t index) const override { return index % 3; }
  [[nodiscard]] std::span<const data::Mode> modes() const override { return modes_; }
  [[nodiscard]] std::uint64_t content_hash() const override { return 3; }

 private:
  std::vector<data::Mode> modes_;
};

/// Standard normals, the same for the same key.
inline std::vector<float> normals(std::size_t n, std::uint64_t key) {
  std::vector<float> values(n);
  Random(key, Purpose::kTest).normals(0, static_cast<std::uint32_t>(n), 1, values);
  return values;
}

}  // namespace lipizz::metrics::testing
