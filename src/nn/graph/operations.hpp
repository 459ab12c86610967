#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// What a gradient rule is handed: the operation's node, the derivative of the loss by its result
/// (none when the result is the loss itself), and which inputs need a derivative.
struct GradientRequest {
  Graph& graph;
  ValueId result;
  std::optional<ValueId> upstream;
  std::function<bool(std::size_t input)> is_wanted;
  std::function<void(std::size_t input, ValueId gradient)> give;
};

/// A kind of operation: its shape rule, its gradient rule written in operations, and its cost. Each
/// backend holds a table of kernels by operation (nn/cpu).
struct Operation {
  std::string_view name;
  std::string_view summary;  // inputs, result and the attributes that it uses
  bool updates_inputs;       // has no result and writes into its inputs
  Shape (*shape)(std::span<const Shape> inputs, const Attributes& attributes);
  void (*gradient)(const GradientRequest& request);  // null: not differentiable
  std::uint64_t (*flops)(std::span<const Shape> inputs, const Attributes& attributes);
};

extern const Operation kLinear;
extern const Operation kMatmul;
extern const Operation kBatchMatmul;
extern const Operation kSoftmax;
extern const Operation kSoftmaxGradient;
extern const Operation kEmbedding;
extern const Operation kEmbeddingGradient;
extern const Operation kDropout;
extern const Operation kAugment;
extern const Operation kAugmentGradient;
extern const Operation kConvolution;
extern const Operation kTransposedConvolution;
extern const Operation kConvolutionWeights;
extern const Operation kPart;
extern const Operation kFill;
extern const Operation kSumRows;
extern const Operation kSpreadRows;
extern const Operation kScaleRows;
extern const Operation kProductSums;
extern const Operation kModulate;
extern const Operation kActivation;
extern const Operation kActivationGradient;
extern const Operation kActivationCurvature;
extern const Operation kAdd;
extern const Operation kConcatenate;
extern const Operation kChannels;
extern const Operation kSpread;
extern const Operation kUpsample;
extern const Operation kSumBlocks;
extern const Operation kMaxBlocks;
extern const Operation kPickMax;
extern const Operation kRouteMax;
extern const Operation kPowerIteration;
extern const Operation kSpectralScale;
extern const Operation kSpectralScaleGradient;
extern const Operation kStatistics;
extern const Operation kNormalise;
extern const Operation kNormaliseSums;
extern const Operation kNormaliseGradient;
extern const Operation kNormaliseCurvature;
extern const Operation kGeneratorLoss;
extern const Operation kGeneratorLossGradient;
extern const Operation kDiscriminatorLoss;
extern const Operation kDiscriminatorLossGradient;
extern const Operation kCrossEntropy;
extern const Operation kCrossEntropyGradient;
extern const Operation kPenalty;
extern const Operation kPenaltyGradient;
extern const Operation kAbsoluteError;
extern const Operation kAbsoluteErrorGradient;
extern const Operation kBetween;
extern const Operation kAround;
extern const Operation kOptimizerStep;
extern const Operation kMoveAverage;
extern const Operation kUpdateRunning;
extern const Operation kClip;
extern const Operation kNormals;
extern const Operation kUniforms;
extern const Operation kClassesInTurn;
extern const Operation kSamples;
extern const Operation kLabels;

/// Every operation there is.
std::span<const Operation* const> operations();

}  // namespace lipizz::nn
