#pragma once

#include <string>
#include <vector>

#include "nn/layer_conformance.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/layers/self_attention.hpp"

namespace lipizz::nn::testing {

/// At least one for each kind of layer, with every field that it reads.
inline std::vector<LayerExample> layer_examples() {
  const Window odd{.kernel = 3, .stride = 2, .padding = 1};
  const Window whole{.kernel = 4};
  constexpr auto kTanh = Activation::kTanh;
  const std::vector<std::string> both{"0.weight", "0.bias"};
  return {
      {{5, kTanh}, {3}, {5}, both},
      {{5}, {2, 3, 2}, {5}, both},
      {{3, kTanh, &kConvolutionLayer, odd}, {5, 6, 2}, {3, 3, 3}, both},
      {{3, Activation::kSigmoid, &kConvolutionLayer, whole, false},
       {4, 4, 2},
       {1, 1, 3},
       {both[0]}},
      {{3, kTanh, &kTransposedConvolutionLayer, odd}, {2, 3, 2}, {3, 5, 3}, both},
      {{.outputs = 4, .activation = kTanh, .has_spectral_norm = true},
       {3},
       {4},
       {"0.weight", "0.bias", "0.weight_u", "0.weight_v"}},
      {{.outputs = 3, .kind = &kConvolutionLayer, .window = odd, .has_spectral_norm = true},
       {5, 6, 2},
       {3, 3, 3},
       {"0.weight", "0.bias", "0.weight_u", "0.weight_v"}},
      {{2, kTanh, &kTransposedConvolutionLayer, whole, false}, {1, 1, 5}, {4, 4, 2}, {both[0]}},
      {{.activation = kTanh, .kind = &kBatchNormLayer},
       {3, 2, 4},
       {3, 2, 4},
       {"0.weight", "0.bias", "0.running_mean", "0.running_var"}},
      {{.activation = Activation::kSigmoid, .kind = &kActivationLayer}, {7}, {7}, {}},
      {{.kind = &kReshapeLayer, .shape = {2, 2, 3}}, {3, 2, 2}, {2, 2, 3}, {}},
      {{.outputs = 5, .activation = kTanh, .has_bias = false}, {3}, {5}, {both[0]}},
      {{.activation = kTanh, .kind = &kAddLayer, .from = {0, 0}}, {3, 2, 4}, {3, 2, 4}, {}},
      {{.kind = &kConcatenateLayer, .from = {0, 0, 0}}, {3, 2, 4}, {3, 2, 12}, {}},
      {{.kind = &kUpsampleLayer, .window = {.kernel = 3}}, {2, 3, 2}, {6, 9, 2}, {}},
      {{.kind = &kAveragePoolLayer, .window = {.kernel = 2}}, {4, 6, 2}, {2, 3, 2}, {}},
      {{.kind = &kSumPoolLayer, .window = {.kernel = 3}}, {3, 3, 5}, {1, 1, 5}, {}},
      {{.kind = &kMaxPoolLayer, .window = {.kernel = 2}}, {4, 2, 3}, {2, 1, 3}, {}},
      {{.activation = kTanh, .kind = &kBatchNormLayer, .has_bias = false},
       {3, 2, 4},
       {3, 2, 4},
       {"0.running_mean", "0.running_var"}},
      {{.activation = kTanh, .kind = &kInstanceNormLayer}, {3, 2, 4}, {3, 2, 4}, both},
      {{.kind = &kInstanceNormLayer, .has_bias = false}, {3, 2, 4}, {3, 2, 4}, {}},
      {{.activation = kTanh, .kind = &kLayerNormLayer}, {3, 2, 4}, {3, 2, 4}, both},
      {{.kind = &kLayerNormLayer}, {5}, {5}, both},
      {{.activation = kTanh, .kind = &kModulateLayer, .from = {0, 0, 0}}, {4}, {4}, {}},
      {{.outputs = 5, .kind = &kEmbeddingLayer}, {3}, {5}, {both[0]}, 3},
      {{.outputs = 4, .kind = &kEmbeddingLayer, .has_spectral_norm = true},
       {3},
       {4},
       {"0.weight", "0.weight_u", "0.weight_v"},
       3},
      {{.kind = &kDropoutLayer, .rate = 0.4f}, {3, 2, 4}, {3, 2, 4}, {}},
      {{.kind = &kSelfAttentionLayer},
       {4, 2, 8},
       {4, 2, 8},
       {"0.theta", "0.phi", "0.g", "0.o", "0.gamma"}},
      {{.kind = &kSelfAttentionLayer, .has_spectral_norm = true},
       {2, 2, 8},
       {2, 2, 8},
       {"0.theta", "0.phi", "0.g", "0.o", "0.gamma", "0.theta_u", "0.theta_v", "0.phi_u", "0.phi_v",
        "0.g_u", "0.g_v", "0.o_u", "0.o_v"}},
      {{.kind = &kDotLayer, .from = {0, 0}}, {3, 2, 4}, {1}, {}},
      {{.outputs = 2, .kind = &kChannelsLayer, .offset = 1}, {3, 2, 4}, {3, 2, 2}, {}},
  };
}

}  // namespace lipizz::nn::testing
