#include "nn/graph/operations.hpp"

#include <array>
#include <string>

#include "core/error.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {

void require(bool condition, std::string_view operation, Shapes inputs) {
  if (condition) return;
  std::string text = std::string(operation) + " cannot take";
  for (const Shape& shape : inputs) text += " " + to_string(shape);
  throw InternalError(text);
}

std::uint64_t no_flops(Shapes, const Attributes&) {
  return 0;
}

std::uint64_t elementwise_flops(Shapes in, const Attributes&) {
  return n_elements(in[0]);
}

ValueId before_activation(Graph& graph, ValueId upstream, ValueId result) {
  const Attributes& attributes = graph.node(result).attributes;
  if (attributes.activation == Activation::kNone) return upstream;
  return graph.apply(kActivationGradient, {upstream, result},
                     {.activation = attributes.activation});
}

std::span<const Operation* const> operations() {
  static constexpr std::array kAll{&kLinear,
                                   &kMatmul,
                                   &kBatchMatmul,
                                   &kSoftmax,
                                   &kSoftmaxGradient,
                                   &kEmbedding,
                                   &kEmbeddingGradient,
                                   &kDropout,
                                   &kAugment,
                                   &kAugmentGradient,
                                   &kConvolution,
                                   &kTransposedConvolution,
                                   &kConvolutionWeights,
                                   &kPart,
                                   &kFill,
                                   &kSumRows,
                                   &kSpreadRows,
                                   &kScaleRows,
                                   &kProductSums,
                                   &kModulate,
                                   &kActivation,
                                   &kActivationGradient,
                                   &kActivationCurvature,
                                   &kAdd,
                                   &kConcatenate,
                                   &kChannels,
                                   &kSpread,
                                   &kUpsample,
                                   &kSumBlocks,
                                   &kMaxBlocks,
                                   &kPickMax,
                                   &kRouteMax,
                                   &kPowerIteration,
                                   &kSpectralScale,
                                   &kSpectralScaleGradient,
                                   &kStatistics,
                                   &kNormalise,
                                   &kNormaliseSums,
                                   &kNormaliseGradient,
                                   &kNormaliseCurvature,
                                   &kGeneratorLoss,
                                   &kGeneratorLossGradient,
                                   &kDiscriminatorLoss,
                                   &kDiscriminatorLossGradient,
                                   &kCrossEntropy,
                                   &kCrossEntropyGradient,
                                   &kPenalty,
                                   &kPenaltyGradient,
                                   &kAbsoluteError,
                                   &kAbsoluteErrorGradient,
                                   &kBetween,
                                   &kAround,
                                   &kOptimizerStep,
                                   &kMoveAverage,
                                   &kUpdateRunning,
                                   &kClip,
                                   &kNormals,
                                   &kUniforms,
                                   &kClassesInTurn,
                                   &kSamples,
                                   &kLabels};
  return kAll;
}

}  // namespace lipizz::nn
