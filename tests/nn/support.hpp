#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "nn/buffer.hpp"
#include "nn/cuda/host_kernels.hpp"
#include "nn/engine.hpp"
#include "nn/layers/activation.hpp"
#include "nn/layers/batch_norm.hpp"
#include "nn/layers/convolution.hpp"
#include "nn/models.hpp"

namespace lipizz::nn::testing {

/// What this build can compute with in single precision: the judge first, then devices' kernels as
/// loops of the host, then the fast engine.
inline std::vector<Engine> engines() {
  std::vector<Engine> all{{Backend::kReference, NumericsLevel::kBaseline},
                          {.make_kernel = make_host_kernel}};
  if (is_available(Backend::kOneDnn)) all.push_back({Backend::kOneDnn, detect_numerics_level()});
  return all;
}

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

/// Of two stretches of numbers, float or double.
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
