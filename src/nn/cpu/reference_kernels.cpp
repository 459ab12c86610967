#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "nn/base/powers.hpp"
#include "nn/cpu/attention.hpp"
#include "nn/cpu/drawing.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/loss_kernels.hpp"
#include "nn/cpu/randomised.hpp"
#include "nn/cpu/rearranging.hpp"
#include "nn/cpu/reference_kernel.hpp"
#include "nn/cpu/reference_matrix.hpp"
#include "nn/cpu/reference_spectral.hpp"
#include "nn/cpu/scaling.hpp"

namespace lipizz::nn {
namespace {

// Eigen cuts its products by the sizes of the caches it finds, which would make the bits depend on
// the machine; these are fixed instead, once for the process.
void fix_blocking() {
  static std::once_flag is_done;
  std::call_once(is_done, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20); });
}

template <class T>
MatrixMap<T> matrix(T* const* values, const Graph& graph, ValueId value) {
  const Shape& shape = graph.shape(value);
  return {values[value.index], shape[0], shape.size() > 1 ? shape[1] : 1};
}

template <class T>
void linear(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto x = matrix(values, graph, node.inputs[0]);
  const auto w = matrix(values, graph, node.inputs[1]);
  matrix(values, graph, value).noalias() = x * w;
  finish_product(graph, value, values);
}

// y = a b, each transposed where the attributes say so.
template <class T>
void multiply(const Attributes& how, const MatrixMap<T>& a, const MatrixMap<T>& b, MatrixMap<T> y) {
  const bool ta = how.transpose_a;
  const bool tb = how.transpose_b;
  if (ta && tb)
    y.noalias() = a.transpose() * b.transpose();
  else if (ta)
    y.noalias() = a.transpose() * b;
  else if (tb)
    y.noalias() = a * b.transpose();
  else
    y.noalias() = a * b;
}

template <class T>
void matmul(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  multiply(node.attributes, matrix(values, graph, node.inputs[0]),
           matrix(values, graph, node.inputs[1]), matrix(values, graph, value));
}

// One of the matrices of a value [B, rows, columns].
template <class T>
MatrixMap<T> one_of(T* const* values, const Graph& graph, ValueId value, std::size_t which) {
  const Shape& shape = graph.shape(value);
  return {values[value.index] + which * shape[1] * shape[2], shape[1], shape[2]};
}

template <class T>
void batch_matmul(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  for (std::size_t i = 0; i < node.shape[0]; ++i) {
    multiply(node.attributes, one_of(values, graph, node.inputs[0], i),
             one_of(values, graph, node.inputs[1], i), one_of(values, graph, value, i));
  }
}

template <class T>
void sum_rows(const Graph& graph, ValueId value, T* const* values) {
  const auto x = rows(values, graph, graph.node(value).inputs[0]);
  auto sums = rows(values, graph, value);
  const Eigen::Index n_rows = x.rows() / sums.rows();
  sums.setZero();
  for (Eigen::Index row = 0; row < x.rows(); ++row) sums.row(row / n_rows) += x.row(row);
}

template <class T>
void activation(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  rows(values, graph, value) = rows(values, graph, node.inputs[0]).unaryExpr([&](T v) {
    return activate(node.attributes.activation, v);
  });
}

template <class T>
void activation_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto dy = rows(values, graph, node.inputs[0]);
  const auto y = rows(values, graph, node.inputs[1]);
  rows(values, graph, value) = dy.binaryExpr(
      y, [&](T d, T v) { return d * activation_slope(node.attributes.activation, v); });
}

template <class T>
void add(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  rows(values, graph, value) =
      rows(values, graph, node.inputs[0]) + rows(values, graph, node.inputs[1]);
}

template <class T>
void optimizer_step(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const OptimizerSpec& o = node.attributes.optimizer;
  const auto n = static_cast<Eigen::Index>(n_elements(graph.shape(node.inputs[0])));
  using Array = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
  Array w(values[node.inputs[0].index], n);
  const Array g(values[node.inputs[1].index], n);
  const T rate = values[node.inputs[2].index][0];
  const auto step = static_cast<std::uint32_t>(values[node.inputs[2].index][1]);
  const auto beta1 = static_cast<T>(o.beta1);
  const auto beta2 = static_cast<T>(o.beta2);
  const auto keep1 = static_cast<T>(1 - o.beta1);
  const auto keep2 = static_cast<T>(1 - o.beta2);
  const auto epsilon = static_cast<T>(o.epsilon);
  Array m(values[node.inputs[3].index], n);
  if (o.kind == OptimizerKind::kSgd) {
    m = beta1 * m + g;
    w -= rate * m;
  } else if (o.kind == OptimizerKind::kRmsProp) {
    m = beta2 * m + keep2 * g * g;
    w -= rate * g / (m.sqrt() + epsilon);
  } else {
    Array v(values[node.inputs[4].index], n);
    m = beta1 * m + keep1 * g;
    v = beta2 * v + keep2 * g * g;
    const auto scale = static_cast<T>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
    const auto rate_now =
        static_cast<T>(static_cast<double>(rate) / (1 - power(o.beta1, step + 1)));
    w -= rate_now * m / (v.sqrt() * scale + epsilon);
  }
}

template <class T>
void clip(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto limit = static_cast<T>(node.attributes.number);
  T* w = values[node.inputs.front().index];
  for (std::size_t i = 0; i < n_elements(graph.shape(node.inputs.front())); ++i) {
    w[i] = std::clamp(w[i], -limit, limit);
  }
}

}  // namespace

template <class T>
std::span<const KernelEntry<T>> reference_kernels() {
  fix_blocking();
  static constexpr std::array kTable{
      KernelEntry<T>{&kLinear, ReferenceKernel<T, linear<T>>::make},
      KernelEntry<T>{&kMatmul, ReferenceKernel<T, matmul<T>>::make},
      KernelEntry<T>{&kSumRows, ReferenceKernel<T, sum_rows<T>>::make},
      KernelEntry<T>{&kActivation, ReferenceKernel<T, activation<T>>::make},
      KernelEntry<T>{&kActivationGradient, ReferenceKernel<T, activation_gradient<T>>::make},
      KernelEntry<T>{&kAdd, ReferenceKernel<T, add<T>>::make},
      KernelEntry<T>{&kOptimizerStep, ReferenceKernel<T, optimizer_step<T>>::make},
      KernelEntry<T>{&kUpdateRunning, ReferenceKernel<T, reference_update_running<T>>::make},
      KernelEntry<T>{&kClip, ReferenceKernel<T, clip<T>>::make},
      KernelEntry<T>{&kNormals, ReferenceKernel<T, draw_normals<T>>::make},
      KernelEntry<T>{&kUniforms, ReferenceKernel<T, draw_uniforms<T>>::make},
      KernelEntry<T>{&kClassesInTurn, ReferenceKernel<T, draw_classes<T>>::make},
      KernelEntry<T>{&kSamples, ReferenceKernel<T, read_samples<T>>::make},
      KernelEntry<T>{&kLabels, ReferenceKernel<T, read_labels<T>>::make},
      KernelEntry<T>{&kConvolution, ReferenceKernel<T, reference_convolution<T>>::make},
      KernelEntry<T>{&kTransposedConvolution,
                     ReferenceKernel<T, reference_transposed_convolution<T>>::make},
      KernelEntry<T>{&kConvolutionWeights,
                     ReferenceKernel<T, reference_convolution_weights<T>>::make},
      KernelEntry<T>{&kConcatenate, ReferenceKernel<T, concatenate<T>>::make},
      KernelEntry<T>{&kChannels, ReferenceKernel<T, take_channels<T>>::make},
      KernelEntry<T>{&kSpread, ReferenceKernel<T, spread_channels<T>>::make},
      KernelEntry<T>{&kUpsample, ReferenceKernel<T, upsample<T>>::make},
      KernelEntry<T>{&kSumBlocks, ReferenceKernel<T, sum_blocks<T>>::make},
      KernelEntry<T>{&kMaxBlocks, ReferenceKernel<T, max_blocks<T>>::make},
      KernelEntry<T>{&kPickMax, ReferenceKernel<T, pick_max<T>>::make},
      KernelEntry<T>{&kRouteMax, ReferenceKernel<T, route_max<T>>::make},
      KernelEntry<T>{&kPowerIteration, ReferenceKernel<T, iterate_power_of<T>>::make},
      KernelEntry<T>{&kSpectralScale, ReferenceKernel<T, scale_spectrally<T>>::make},
      KernelEntry<T>{&kSpectralScaleGradient, ReferenceKernel<T, spectral_scale_gradient<T>>::make},
      KernelEntry<T>{&kBatchMatmul, ReferenceKernel<T, batch_matmul<T>>::make},
      KernelEntry<T>{&kFill, ReferenceKernel<T, fill<T>>::make},
      KernelEntry<T>{&kSpreadRows, ReferenceKernel<T, spread_rows<T>>::make},
      KernelEntry<T>{&kScaleRows, ReferenceKernel<T, scale_rows<T>>::make},
      KernelEntry<T>{&kProductSums, ReferenceKernel<T, product_sums<T>>::make},
      KernelEntry<T>{&kModulate, ReferenceKernel<T, modulate<T>>::make},
      KernelEntry<T>{&kActivationCurvature, ReferenceKernel<T, activation_curvature<T>>::make},
      KernelEntry<T>{&kNormaliseCurvature, ReferenceKernel<T, normalise_curvature<T>>::make},
      KernelEntry<T>{&kMoveAverage, ReferenceKernel<T, move_average<T>>::make},
      KernelEntry<T>{&kSoftmax, ReferenceKernel<T, softmax<T>>::make},
      KernelEntry<T>{&kSoftmaxGradient, ReferenceKernel<T, softmax_gradient<T>>::make},
      KernelEntry<T>{&kEmbedding, ReferenceKernel<T, embedding<T>>::make},
      KernelEntry<T>{&kEmbeddingGradient, ReferenceKernel<T, embedding_gradient<T>>::make},
      KernelEntry<T>{&kDropout, ReferenceKernel<T, dropout<T>>::make},
      KernelEntry<T>{&kAugment, ReferenceKernel<T, augment<T>>::make},
      KernelEntry<T>{&kAugmentGradient, ReferenceKernel<T, augment_gradient<T>>::make},
      KernelEntry<T>{&kBetween, ReferenceKernel<T, between<T>>::make},
      KernelEntry<T>{&kAround, ReferenceKernel<T, around<T>>::make},
      KernelEntry<T>{&kPenalty, ReferenceKernel<T, compute_penalty<T>>::make},
      KernelEntry<T>{&kPenaltyGradient, ReferenceKernel<T, compute_penalty_gradient<T>>::make},
      KernelEntry<T>{&kAbsoluteError, ReferenceKernel<T, compute_absolute_error<T>>::make},
      KernelEntry<T>{&kAbsoluteErrorGradient,
                     ReferenceKernel<T, compute_absolute_error_gradient<T>>::make},
      KernelEntry<T>{&kStatistics, ReferenceKernel<T, reference_statistics<T>>::make},
      KernelEntry<T>{&kNormalise, ReferenceKernel<T, reference_normalise<T>>::make},
      KernelEntry<T>{&kNormaliseSums, ReferenceKernel<T, reference_normalise_sums<T>>::make},
      KernelEntry<T>{&kNormaliseGradient,
                     ReferenceKernel<T, reference_normalise_gradient<T>>::make},
      KernelEntry<T>{&kGeneratorLoss, LossKernel<T, compute_generator_loss<T>>::make},
      KernelEntry<T>{&kGeneratorLossGradient,
                     LossKernel<T, compute_generator_loss_gradient<T>>::make},
      KernelEntry<T>{&kDiscriminatorLoss, LossKernel<T, compute_discriminator_loss<T>>::make},
      KernelEntry<T>{&kDiscriminatorLossGradient,
                     LossKernel<T, compute_discriminator_loss_gradient<T>>::make},
      KernelEntry<T>{&kCrossEntropy, LossKernel<T, compute_cross_entropy<T>>::make},
      KernelEntry<T>{&kCrossEntropyGradient,
                     LossKernel<T, compute_cross_entropy_gradient<T>>::make},
  };
  return kTable;
}

template std::span<const KernelEntry<float>> reference_kernels();
template std::span<const KernelEntry<double>> reference_kernels();

}  // namespace lipizz::nn
