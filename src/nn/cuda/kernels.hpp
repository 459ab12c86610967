#pragma once

#include <array>
#include <string>

#include "core/error.hpp"
#include "nn/cuda/attention.hpp"
#include "nn/cuda/convolution.hpp"
#include "nn/cuda/drawing.hpp"
#include "nn/cuda/elementwise.hpp"
#include "nn/cuda/losses.hpp"
#include "nn/cuda/normalisation.hpp"
#include "nn/cuda/products.hpp"
#include "nn/cuda/randomised.hpp"
#include "nn/cuda/rearranging.hpp"
#include "nn/cuda/scaling.hpp"
#include "nn/cuda/spectral.hpp"
#include "nn/cuda/updates.hpp"

namespace lipizz::nn::cuda {

/// A device's way to put one operation to work.
template <class Work>
struct KernelEntry {
  const Operation* operation;
  void (*compute)(Work& work);
};

/// Every operation that devices have.
template <class Work>
constexpr auto kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kLinear, linear},
      {&kMatmul, matmul},
      {&kBatchMatmul, batch_matmul},
      {&kSoftmax, softmax},
      {&kSoftmaxGradient, softmax_gradient},
      {&kEmbedding, embedding},
      {&kEmbeddingGradient, embedding_gradient},
      {&kDropout, dropout},
      {&kAugment, augment},
      {&kAugmentGradient, augment_gradient},
      {&kConvolution, convolution},
      {&kTransposedConvolution, transposed_convolution},
      {&kConvolutionWeights, convolution_weights},
      {&kFill, fill},
      {&kSumRows, sum_rows},
      {&kSpreadRows, spread_rows},
      {&kScaleRows, scale_rows},
      {&kProductSums, product_sums},
      {&kModulate, modulate},
      {&kActivation, activation},
      {&kActivationGradient, activation_gradient},
      {&kActivationCurvature, activation_curvature},
      {&kAdd, add},
      {&kConcatenate, concatenate},
      {&kChannels, take_channels},
      {&kSpread, spread_channels},
      {&kUpsample, upsample},
      {&kSumBlocks, sum_blocks},
      {&kMaxBlocks, max_blocks},
      {&kPickMax, pick_max},
      {&kRouteMax, route_max},
      {&kPowerIteration, power_iteration},
      {&kSpectralScale, spectral_scale},
      {&kSpectralScaleGradient, spectral_scale_gradient},
      {&kStatistics, statistics},
      {&kNormalise, normalise},
      {&kNormaliseSums, normalise_sums},
      {&kNormaliseGradient, normalise_gradient},
      {&kNormaliseCurvature, normalise_curvature},
      {&kGeneratorLoss, generator_loss},
      {&kGeneratorLossGradient, generator_loss_gradient},
      {&kDiscriminatorLoss, discriminator_loss},
      {&kDiscriminatorLossGradient, discriminator_loss_gradient},
      {&kCrossEntropy, cross_entropy},
      {&kCrossEntropyGradient, cross_entropy_gradient},
      {&kPenalty, penalty},
      {&kPenaltyGradient, penalty_gradient},
      {&kAbsoluteError, absolute_error},
      {&kAbsoluteErrorGradient, absolute_error_gradient},
      {&kBetween, between},
      {&kAround, around},
      {&kOptimizerStep, optimizer_step},
      {&kMoveAverage, move_average},
      {&kUpdateRunning, update_running},
      {&kClip, clip},
      {&kNormals, normals},
      {&kUniforms, uniforms},
      {&kClassesInTurn, classes_in_turn},
      {&kSamples, samples},
      {&kLabels, labels},
  });
}

/// Puts the operation that `work` is made for to it. InternalError when devices have it not.
template <class Work>
void compute(Work& work) {
  for (const KernelEntry<Work>& entry : kernels<Work>()) {
    if (entry.operation == work.node().operation) return entry.compute(work);
  }
  throw InternalError("devices have no kernel for " + std::string(work.node().operation->name));
}

}  // namespace lipizz::nn::cuda
