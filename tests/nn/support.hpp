#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cuda/host_kernels.hpp"
#include "nn/exec/devices.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/exec/inference.hpp"
#include "nn/far_device.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn::testing {

/// The engines of this build in single precision: the reference first, then devices' kernels as
/// loops of the host, then the fast engine.
inline std::vector<Engine> engines() {
  std::vector<Engine> all{{Backend::kReference, NumericsLevel::kBaseline},
                          {.make_kernel = make_host_kernel}};
  if (is_available(Backend::kOneDnn)) all.push_back({Backend::kOneDnn, detect_numerics_level()});
  return all;
}

using nn::fastest_engine;

/// A device for each of them, of which that of the devices' kernels has memory of its own. The
/// environment variable LIPIZZ_TEST_DEVICE names one that the machine has instead, alone: a GPU's
/// time is dear, and the others are tested elsewhere.
inline std::vector<std::shared_ptr<Device>> devices() {
  if (const char* name = std::getenv("LIPIZZ_TEST_DEVICE"); name != nullptr) {
    return {open_device(name, {})};
  }
  std::vector<std::shared_ptr<Device>> all;
  for (const Engine& engine : engines()) {
    if (engine.make_kernel == nullptr) {
      all.push_back(std::make_shared<HostDevice>(engine));
    } else {
      all.push_back(std::make_shared<FarDevice>(engine));
    }
  }
  return all;
}

/// Devices in another precision than single: the one that LIPIZZ_TEST_DEVICE names or, in bf16, a
/// processor that has it. Empty where nothing computes so.
inline std::vector<std::shared_ptr<Device>> devices_in(Precision precision) {
  if (const char* name = std::getenv("LIPIZZ_TEST_DEVICE"); name != nullptr) {
    return {open_device(name, {}, precision)};
  }
  const Engine engine = fastest_engine(precision);
  if (precision != Precision::kBf16 || !has_bf16(engine.level)) return {};
  return {std::make_shared<HostDevice>(engine)};
}

/// Once through a network in use: [batch, inputs] -> [batch, outputs].
inline void infer(Device& device, Inference& run, std::span<const float> parameters,
                  std::span<const float> x, std::span<float> y) {
  UploadScope uploads(device);
  run.bind(0, uploads.upload(parameters), uploads.upload(x), uploads.upload(y));
  run.run();
  uploads.finish();
}

/// Samples that are normals, the index their key, of one class after the other.
class DrawnSamples final : public SampleSource {
 public:
  explicit DrawnSamples(std::uint32_t size, std::uint32_t n_classes = 1, std::uint32_t seed = 7)
      : size_(size), n_classes_(n_classes), random_(seed, Purpose::kTest) {}
  [[nodiscard]] std::uint32_t n_samples() const override { return 40; }
  [[nodiscard]] std::uint32_t sample_size() const override { return size_; }
  void read(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      random_.normals(indices[i], 1, size_, out.subspan(i * size_, size_));
      if (indices[i] == spoilt_) out[i * size_] = std::numeric_limits<float>::infinity();
    }
  }
  [[nodiscard]] std::uint32_t label(std::uint32_t index) const override {
    return index % n_classes_;
  }
  /// From now on a number of this sample is infinite.
  void spoil(std::uint32_t index) { spoilt_ = index; }

 private:
  std::uint32_t size_;
  std::uint32_t n_classes_;
  std::optional<std::uint32_t> spoilt_;
  Random random_;
};

/// Standard normals, the same for the same key.
inline Buffer<float> normals(std::size_t n, std::uint32_t key) {
  Buffer<float> values(n);
  Random(key, Purpose::kTest).normals(0, static_cast<std::uint32_t>(n), 1, values);
  return values;
}

/// A pair small enough for finite differences, with every activation in it.
inline GanSpec tiny_gan() {
  return {{{3}, {{5, Activation::kLeakyRelu}, {4, Activation::kSigmoid}, {6, Activation::kTanh}}},
          {{6}, {{5, Activation::kTanh}, {4, Activation::kLeakyRelu}, {1}}}};
}

/// The same with convolutions and batch norm: images of 5x5 with two channels.
inline GanSpec tiny_image_gan() {
  const auto batch_norm = [](Activation activation) {
    return Layer{.activation = activation, .kind = &kBatchNormLayer};
  };
  const Window odd{.kernel = 3, .stride = 2, .padding = 1};
  return {{{1, 1, 3},
           {{3, Activation::kNone, &kTransposedConvolutionLayer, {.kernel = 3}, false},
            batch_norm(Activation::kLeakyRelu),
            {2, Activation::kTanh, &kTransposedConvolutionLayer, odd}},
           &kNormal02},
          {{5, 5, 2},
           {{3, Activation::kLeakyRelu, &kConvolutionLayer, odd},
            {4, Activation::kNone, &kConvolutionLayer, {.kernel = 2}, false},
            batch_norm(Activation::kTanh),
            {.activation = Activation::kSigmoid, .kind = &kActivationLayer},
            {1}},
           &kUniform}};
}

inline Buffer<float> initial(const NetworkSpec& network, std::uint64_t seed) {
  Buffer<float> parameters(parameter_layout(network).n_padded);
  initialise(network, Random(seed, Purpose::kTest), parameters);
  return parameters;
}

/// The relative L2 difference of two sequences of numbers, float or double.
double relative_l2(const auto& a, const auto& b) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    norm += double{b[i]} * b[i];
  }
  return difference == 0 ? 0 : std::sqrt(difference / norm);
}

}  // namespace lipizz::nn::testing
