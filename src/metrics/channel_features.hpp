#pragma once

#include <vector>

#include "data/dataset.hpp"
#include "metrics/classifier.hpp"

namespace lipizz::metrics {

/// The channels of a dataset's images, each as an image of its own: image i is channel i mod C of
/// sample i / C, and its class that digit of the sample's label (data::SampleForm). No more than
/// MNIST has, 60,000 for training and 10,000 for tests, so that a classifier of them takes as long
/// as MNIST's.
class ChannelView final : public data::Dataset {
 public:
  /// `stacked` must outlive it; its form has channel classes.
  explicit ChannelView(const data::Dataset& stacked);

  [[nodiscard]] std::string_view name() const override { return stacked_.name(); }
  [[nodiscard]] data::SampleKind kind() const override { return stacked_.kind(); }
  [[nodiscard]] data::SampleShape shape() const override;
  [[nodiscard]] std::uint32_t n_train() const override { return n_train_full(); }
  [[nodiscard]] std::uint32_t n_train_full() const override;
  [[nodiscard]] std::uint32_t n_test() const override;
  [[nodiscard]] std::uint32_t n_classes() const override { return stacked_.n_channel_classes(); }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  [[nodiscard]] data::Label train_label(std::uint32_t index) const override;
  [[nodiscard]] data::Label test_label(std::uint32_t index) const override;
  [[nodiscard]] std::span<const data::Mode> modes() const override { return {}; }
  [[nodiscard]] std::uint64_t content_hash() const override { return stacked_.content_hash(); }

 private:
  [[nodiscard]] std::uint32_t n_channels() const { return stacked_.shape().channels; }
  using Read = void (data::Dataset::*)(std::span<const std::uint32_t>, std::span<float>) const;
  /// Copies channels out of the samples that `read_stacked` reads.
  void read(Read read_stacked, std::span<const std::uint32_t> indices, std::span<float> out) const;
  [[nodiscard]] data::Label digit(data::Label label, std::uint32_t channel) const;

  const data::Dataset& stacked_;
};

/// Features of images each of whose channels shows something of its own (Stacked-MNIST): those of a
/// classifier of single channels, one channel's after the other's, and as class the one that the
/// channels' classes make together. A sample has none where a channel has none.
class ChannelFeatures final : public Features {
 public:
  /// `parameters` are those of classifier_network() of this dataset.
  ChannelFeatures(nn::Device& device, const data::Dataset& dataset, nn::Buffer<float> parameters);

  void compute(std::span<const float> samples, std::span<float> out) override;

  /// Products of the channels' probabilities.
  void class_probabilities(std::span<const float> rows, std::span<float> out) const override;

 private:
  /// The classifier's rows of all channels: [n * n_channels_, kPerSample].
  [[nodiscard]] std::vector<float> channel_rows(std::span<const float> rows) const;

  std::uint32_t n_channels_;
  std::size_t n_pixels_;
  ClassifierFeatures classifier_;
};

}  // namespace lipizz::metrics
