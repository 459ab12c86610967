#include "nn/cpu/convolution_choice.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "nn/cpu/direct_packing.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/graph/convolution_table.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kVector = 16;

// So many tiles pay for the transforms of the weights.
constexpr std::size_t kManyTiles = 64;

// Transforms cost least where channels fill vectors.
bool is_worth_winograd(const ConvolutionShape& shape) {
  return Winograd::fits(shape.window) && std::min(shape.x[3], shape.y[3]) >= kVector &&
         shape.x[0] * Winograd(shape, 2).n_tiles() >= kManyTiles;
}

// Tiles of 4x4 positions are taken where they leave fewer products, are many, too, and the points
// of the weights are no more than 64 MB in single precision.
ConvolutionAlgorithm winograd_algorithm(const ConvolutionShape& shape) {
  constexpr std::size_t kMostWeights = 16 << 20;  // points, in floats
  const Winograd small(shape, 2);
  const Winograd large(shape, 4);
  const bool saves = large.n_points() * large.n_tiles() < small.n_points() * small.n_tiles();
  const bool is_small = large.n_points() * large.depth() * large.n_outputs() <= kMostWeights;
  return saves && is_small && shape.x[0] * large.n_tiles() >= kManyTiles
             ? ConvolutionAlgorithm::kWinograd4
             : ConvolutionAlgorithm::kWinograd;
}

// Winograd's filtering, or im2col; but for direct loops where windows that overlap give a vector of
// outputs, of no more channels than that, and for the few weights' gradient of plain windows over
// many positions; for oneDNN's forward pass over many positions and its derivative by few channels'
// weights, where their vectors are full, and for fewer outputs than a vector, whose products are
// thin; and where weights are too many for the second cache, the taps one by one. In bf16 products
// are twice as fast, but neither oneDNN's primitives, which are for few channels alone there, nor
// direct gradients.
// Groups of few channels take Winograd's filtering, others direct loops, or oneDNN's primitives
// where direct loops do not fit or are slower (ADR 42, 61).
ConvolutionAlgorithm usual_algorithm(const Operation& operation, const ConvolutionShape& shape,
                                     NumericsLevel level) {
  constexpr std::size_t kManyPositions = 64;
  constexpr std::size_t kManyWeights = 1 << 20;
  constexpr std::size_t kFewWeights = 1 << 15;
  if (shape.window.groups > 1) {
    const bool is_narrow = std::max(shape.x[3], shape.y[3]) / shape.window.groups <= 2 * kVector;
    if (is_narrow && fits(ConvolutionAlgorithm::kWinograd, operation, shape)) {
      return ConvolutionAlgorithm::kWinograd;
    }
    const bool is_slower = level >= NumericsLevel::kAvx512 && &operation != &kTransposedConvolution;
    return is_direct(operation, shape) && !is_slower ? ConvolutionAlgorithm::kDirect
                                                     : ConvolutionAlgorithm::kOneDnnPrimitive;
  }
  const bool has_pairs = has_bf16(level);
  const bool has_few_inputs = shape.x[3] < kVector;
  const bool are_many = shape.n_window() * shape.y[3] > kManyWeights && !has_few_inputs;
  const bool is_weight_gradient = &operation == &kConvolutionWeightGradient;
  const std::size_t n_rows = shape.x[0] * shape.n_positions();
  const bool is_tall = n_rows >= 4 * std::max<std::size_t>(shape.n_window(), shape.y[3]) &&
                       shape.n_window() * shape.y[3] <= kFewWeights;
  if (is_weight_gradient && shape.is_plain() && is_tall && !has_pairs &&
      is_direct(operation, shape)) {
    return ConvolutionAlgorithm::kDirect;
  }
  if (is_worth_winograd(shape)) return winograd_algorithm(shape);
  const bool has_full_vectors = shape.y[3] % kVector == 0;
  const bool is_forward = &operation == &kConvolution;
  const bool overlaps = shape.window.stride == 1 && shape.window.kernel > 1;
  const bool is_small = shape.x[3] <= kVector && shape.y[3] == kVector && !shape.is_plain();
  if (is_forward && overlaps && is_small && is_direct(operation, shape)) {
    return ConvolutionAlgorithm::kDirect;
  }
  const bool is_primitive =
      has_full_vectors &&
      ((is_forward && shape.n_positions() >= kManyPositions && (has_few_inputs || !has_pairs)) ||
       (is_weight_gradient && has_few_inputs));
  const bool has_few_outputs = shape.y[3] < kVector && !has_few_inputs;
  if (is_primitive || (has_few_outputs && overlaps && !shape.is_plain()))
    return ConvolutionAlgorithm::kOneDnnPrimitive;
  return are_many && !shape.is_plain() ? ConvolutionAlgorithm::kKn2row
                                       : ConvolutionAlgorithm::kIm2col;
}

}  // namespace

bool fits(ConvolutionAlgorithm algorithm, const Operation& operation,
          const ConvolutionShape& shape) {
  const bool has_groups = shape.window.groups > 1;
  switch (algorithm) {
    case ConvolutionAlgorithm::kIm2col:
    case ConvolutionAlgorithm::kKn2row:
      return !has_groups;
    case ConvolutionAlgorithm::kWinograd:
      return has_groups ? shape.window.kernel == 3 && is_direct(operation, shape)
                        : Winograd::fits(shape.window);
    case ConvolutionAlgorithm::kWinograd4:
      return !has_groups && Winograd::fits(shape.window);
    case ConvolutionAlgorithm::kOneDnnPrimitive:
      return true;
    case ConvolutionAlgorithm::kDirect:
      return is_direct(operation, shape);
    case ConvolutionAlgorithm::kAuto:
      break;
  }
  throw InternalError("a convolution whose algorithm was not chosen");
}

NumericsLevel convolution_level(const Engine& engine) {
  const bool is_in_pairs =
      engine.precision == Precision::kBf16 && engine.level == NumericsLevel::kAvx512Bf16;
  return is_in_pairs ? engine.level : without_bf16(engine.level);
}

void choose_algorithms(const Engine& engine, Graph& graph) {
  const ConvolutionTable& table =
      engine.convolutions == nullptr ? ConvolutionTable::committed() : *engine.convolutions;
  const NumericsLevel level = convolution_level(engine);
  for (const ValueId value : graph.live_operations()) {
    const Node& node = graph.node(value);
    if (!is_convolution(graph, value) || node.attributes.algorithm != ConvolutionAlgorithm::kAuto)
      continue;
    const auto known = table.find(case_of(graph, value, level));
    graph.set_algorithm(value, known.value_or(usual_algorithm(
                                   *node.operation, convolution_shape(graph, value), level)));
  }
}

}  // namespace lipizz::nn
