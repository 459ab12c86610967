#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "metrics/features.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/exec/device.hpp"
#include "nn/exec/inference.hpp"
#include "nn/network/network.hpp"

namespace lipizz::metrics {

/// The classifier whose features images are compared by, a LeNet like Lipizzaner's: 5x5
/// convolution to 16 channels, 2x2 max pooling, ReLU, 5x5 convolution to 16, pooling, ReLU, 64
/// ReLU, classes. Images have at least 16x16 pixels.
///
/// Features that are not bounded see what is wrong with a stroke (specks, blur, gaps), as those
/// that are usual for photos do.
///
/// Images of 64 pixels and more are first halved by averages, down to 32..63 where their size can
/// be; where each channel has classes of its own, it is the network of one channel.
nn::NetworkSpec classifier_network(const data::SampleForm& form);
nn::NetworkSpec classifier_network(const data::Dataset& dataset);

/// Its parameters [n_padded] after three epochs of Adam (batches of 100, rate 1e-3, in the last one
/// 1e-4) over all training samples, from a fixed seed on the reference backend: the same bits on
/// every machine. Half a minute on one core for images like MNIST's. The thread must be prepared
/// for computing.
nn::Buffer<float> train_classifier(const data::Dataset& dataset, const Progress& progress);

/// Bytes that its training takes, beside the parameters.
std::size_t classifier_training_bytes(const nn::NetworkSpec& network);

/// Features from a trained classifier: the activations of its 64 penultimate units, and as class
/// the index of the largest logit (the first among equals). A sample that is not finite has NaN as
/// activations and no class. In single precision whatever the device trains in, as the real
/// samples' were on the processor that they are compared with.
class ClassifierFeatures final : public Features {
 public:
  static constexpr std::uint32_t kUnits = 64;
  static constexpr std::uint32_t kPerSample = kUnits + 1;
  /// Samples of one call: on a processor few enough that others, who use the same third cache,
  /// hardly slow it down (bench/README.md); elsewhere few calls are best.
  static constexpr std::uint32_t kHostBatch = 50, kDeviceBatch = 250;

  /// The network's last layer has kUnits inputs. parameters: [n_padded], kept.
  ClassifierFeatures(nn::Device& device, const nn::NetworkSpec& network,
                     nn::Buffer<float> parameters);

  /// Bytes that a classifier takes, with its program and buffers.
  static nn::PlanBytes bytes(const nn::NetworkSpec& network, const nn::Engine& engine);

  /// A row of `out` depends on that sample and its place modulo the batch alone.
  void compute(std::span<const float> samples, std::span<float> out) override;

  /// The softmax of the logits.
  void class_probabilities(std::span<const float> rows, std::span<float> out) const override;

 private:
  void logits(std::span<const float> units, std::span<float> out) const;
  [[nodiscard]] float class_index(std::span<const float> units) const;

  nn::NetworkSpec network_;
  std::uint32_t batch_;
  nn::Buffer<float> parameters_;
  std::size_t last_weights_;  // where the last layer's weights lie in them
  nn::UploadScope uploads_;
  nn::HostDeviceBuffer input_;   // [batch, sample size]
  nn::HostDeviceBuffer output_;  // [batch, kUnits]
  nn::Inference inference_;
};

}  // namespace lipizz::metrics
