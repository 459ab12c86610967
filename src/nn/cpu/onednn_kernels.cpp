#include <omp.h>

#include <array>

#include "core/error.hpp"
#include "nn/cpu/attention.hpp"
#include "nn/cpu/drawing.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/loss_kernels.hpp"
#include "nn/cpu/onednn_convolution.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/cpu/randomised.hpp"
#include "nn/cpu/rearranging.hpp"
#include "nn/cpu/reference_kernel.hpp"
#include "nn/cpu/scaling.hpp"
#include "nn/cpu/spectral.hpp"

namespace lipizz::nn {
namespace {

// a b (+ bias, activation).
class MatmulKernel final : public NodeKernel {
 public:
  MatmulKernel(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        product_(operand(graph, node().inputs[0], attributes().transpose_a),
                 operand(graph, node().inputs[1], attributes().transpose_b),
                 operand(graph, value, false), node().inputs.size() == 3, attributes().activation) {
  }

  void run(float* const* values) override {
    product_.run(input(values, 0), input(values, 1), input(values, 2), result(values));
  }

 private:
  static dnnl::memory::desc operand(const Graph& graph, ValueId value, bool is_transposed) {
    return matrix(graph.shape(value)[0], graph.shape(value)[1], is_transposed);
  }

  Product product_;
};

// Products of matrices [B, ...], one by one.
class BatchMatmulKernel final : public NodeKernel {
 public:
  BatchMatmulKernel(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        shape_a_(graph.shape(node().inputs[0])),
        shape_b_(graph.shape(node().inputs[1])),
        product_(operand(shape_a_, attributes().transpose_a),
                 operand(shape_b_, attributes().transpose_b), operand(node().shape, false), false,
                 Activation::kNone) {}

  void run(float* const* values) override {
    for (std::size_t i = 0; i < node().shape[0]; ++i) {
      product_.run(input(values, 0) + i * size_of_one(shape_a_),
                   input(values, 1) + i * size_of_one(shape_b_), nullptr,
                   result(values) + i * size_of_one(node().shape));
    }
  }

 private:
  static dnnl::memory::desc operand(const Shape& shape, bool is_transposed) {
    return matrix(shape[1], shape[2], is_transposed);
  }
  static std::size_t size_of_one(const Shape& shape) { return std::size_t{shape[1]} * shape[2]; }

  const Shape& shape_a_;
  const Shape& shape_b_;
  Product product_;
};

std::unique_ptr<Kernel<float>> make_batch_product(const Graph& graph, ValueId value) {
  return std::make_unique<BatchMatmulKernel>(graph, value);
}

void run_activation_gradient(const LoopKernel& k, float* const* v) {
  activation_gradient(k.attributes().activation, k.input(v, 0), k.input(v, 1), k.result(v),
                      n_elements(k.first_shape()));
}

void run_activation(const LoopKernel& k, float* const* v) {
  activation(k.attributes().activation, k.input(v, 0), k.result(v), n_elements(k.first_shape()));
}

void run_sum_rows(const LoopKernel& k, float* const* v) {
  const std::uint32_t n = k.first_shape().back();
  const std::uint32_t n_parts = k.attributes().groups;
  const auto n_rows = static_cast<std::uint32_t>(n_elements(k.first_shape()) / n / n_parts);
  for (std::size_t part = 0; part < n_parts; ++part) {
    sum_rows(k.input(v, 0) + part * n_rows * n, k.result(v) + part * n, n_rows, n);
  }
}

void run_add(const LoopKernel& k, float* const* v) {
  add(k.input(v, 0), k.input(v, 1), k.result(v), n_elements(k.first_shape()));
}

// x w + b with one column; x: [n, k]
void run_multiply_vector(const LoopKernel& k, float* const* v) {
  multiply_vector(k.input(v, 0), k.input(v, 1), *k.input(v, 2), k.result(v), k.first_shape()[0],
                  k.first_shape()[1]);
}

// x^T d with one column; x: [n, k]
void run_multiply_transposed(const LoopKernel& k, float* const* v) {
  multiply_transposed(k.input(v, 0), k.input(v, 1), k.result(v), k.first_shape()[0],
                      k.first_shape()[1]);
}

// d w^T with one inner term; d: [n, 1], w: [k, 1]
void run_outer_product(const LoopKernel& k, float* const* v) {
  outer_product(k.input(v, 0), k.input(v, 1), k.result(v), k.first_shape()[0], k.result_shape()[1]);
}

void run_optimizer_step(const LoopKernel& k, float* const* v) {
  const OptimizerSpec& optimizer = k.attributes().optimizer;
  const float* settings = k.input(v, 2);
  float* const moments[2] = {k.input(v, 3), k.input(v, 4)};
  optimizer_step(optimizer, k.input(v, 0), moments, k.input(v, 1), settings[0],
                 static_cast<std::uint32_t>(settings[1]), n_elements(k.first_shape()));
}

void run_clip(const LoopKernel& k, float* const* v) {
  clip(k.input(v, 0), k.attributes().number, n_elements(k.first_shape()));
}

// The loop for a product that has one column or one inner term, if it is one of those.
std::unique_ptr<Kernel<float>> make_vector_product(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const bool is_linear = node.operation == &kLinear;
  const Attributes& how = node.attributes;
  if (is_linear && node.shape[1] == 1 && how.activation == Activation::kNone) {
    return make_loop<run_multiply_vector>(graph, value);
  }
  if (!is_linear && how.transpose_a && !how.transpose_b && node.shape[1] == 1) {
    return make_loop<run_multiply_transposed>(graph, value);
  }
  if (!is_linear && !how.transpose_a && how.transpose_b && graph.shape(node.inputs[0])[1] == 1) {
    return make_loop<run_outer_product>(graph, value);
  }
  return nullptr;
}

std::unique_ptr<Kernel<float>> make_product(const Graph& graph, ValueId value) {
  if (auto kernel = make_vector_product(graph, value)) return kernel;
  return std::make_unique<MatmulKernel>(graph, value);
}

dnnl::cpu_isa isa(NumericsLevel level) {
  switch (level) {
    case NumericsLevel::kBaseline:
      return dnnl::cpu_isa::sse41;
    case NumericsLevel::kAvx2:
      return dnnl::cpu_isa::avx2;
    case NumericsLevel::kAvx512:
      return dnnl::cpu_isa::avx512_core;
  }
  return dnnl::cpu_isa::sse41;
}

}  // namespace

std::span<const KernelEntry<float>> onednn_kernels() {
  static constexpr std::array<KernelEntry<float>, 60> kTable{{
      {&kLinear, make_product},
      {&kMatmul, make_product},
      {&kSumRows, make_loop<run_sum_rows>},
      {&kActivation, make_loop<run_activation>},
      {&kActivationGradient, make_loop<run_activation_gradient>},
      {&kClip, make_loop<run_clip>},
      {&kNormals, ReferenceKernel<float, draw_normals<float>>::make},
      {&kUniforms, ReferenceKernel<float, draw_uniforms<float>>::make},
      {&kClassesInTurn, ReferenceKernel<float, draw_classes<float>>::make},
      {&kSamples, ReferenceKernel<float, read_samples<float>>::make},
      {&kLabels, ReferenceKernel<float, read_labels<float>>::make},
      {&kConvolution, make_convolution, convolution_room},
      {&kTransposedConvolution, make_transposed_convolution, convolution_room},
      {&kConvolutionWeights, make_convolution_weights, convolution_room},
      {&kConcatenate, ReferenceKernel<float, concatenate<float>>::make},
      {&kChannels, ReferenceKernel<float, take_channels<float>>::make},
      {&kSpread, ReferenceKernel<float, spread_channels<float>>::make},
      {&kUpsample, ReferenceKernel<float, upsample<float>>::make},
      {&kSumBlocks, ReferenceKernel<float, sum_blocks<float>>::make},
      {&kMaxBlocks, ReferenceKernel<float, max_blocks<float>>::make},
      {&kPickMax, ReferenceKernel<float, pick_max<float>>::make},
      {&kRouteMax, ReferenceKernel<float, route_max<float>>::make},
      {&kPowerIteration, make_power_iteration},
      {&kSpectralScale, make_spectral_scale},
      {&kSpectralScaleGradient, make_spectral_scale_gradient},
      {&kBatchMatmul, make_batch_product},
      {&kFill, ReferenceKernel<float, fill<float>>::make},
      {&kSpreadRows, ReferenceKernel<float, spread_rows<float>>::make},
      {&kScaleRows, ReferenceKernel<float, scale_rows<float>>::make},
      {&kProductSums, ReferenceKernel<float, product_sums<float>>::make},
      {&kModulate, ReferenceKernel<float, modulate<float>>::make},
      {&kActivationCurvature, ReferenceKernel<float, activation_curvature<float>>::make},
      {&kNormaliseCurvature, ReferenceKernel<float, normalise_curvature<float>>::make},
      {&kMoveAverage, ReferenceKernel<float, move_average<float>>::make},
      {&kSoftmax, ReferenceKernel<float, softmax<float>>::make},
      {&kSoftmaxGradient, ReferenceKernel<float, softmax_gradient<float>>::make},
      {&kEmbedding, ReferenceKernel<float, embedding<float>>::make},
      {&kEmbeddingGradient, ReferenceKernel<float, embedding_gradient<float>>::make},
      {&kDropout, ReferenceKernel<float, dropout<float>>::make},
      {&kAugment, ReferenceKernel<float, augment<float>>::make},
      {&kAugmentGradient, ReferenceKernel<float, augment_gradient<float>>::make},
      {&kBetween, ReferenceKernel<float, between<float>>::make},
      {&kAround, ReferenceKernel<float, around<float>>::make},
      {&kPenalty, ReferenceKernel<float, compute_penalty<float>>::make},
      {&kPenaltyGradient, ReferenceKernel<float, compute_penalty_gradient<float>>::make},
      {&kAbsoluteError, ReferenceKernel<float, compute_absolute_error<float>>::make},
      {&kAbsoluteErrorGradient,
       ReferenceKernel<float, compute_absolute_error_gradient<float>>::make},
      {&kStatistics, make_statistics},
      {&kNormalise, make_normalise},
      {&kNormaliseSums, make_normalise_sums},
      {&kNormaliseGradient, make_normalise_gradient},
      {&kUpdateRunning, ReferenceKernel<float, reference_update_running<float>>::make},
      {&kAdd, make_loop<run_add>},
      {&kOptimizerStep, make_loop<run_optimizer_step>},
      {&kGeneratorLoss, LossKernel<float, compute_generator_loss<float>>::make},
      {&kGeneratorLossGradient, LossKernel<float, compute_generator_loss_gradient<float>>::make},
      {&kDiscriminatorLoss, LossKernel<float, compute_discriminator_loss<float>>::make},
      {&kDiscriminatorLossGradient,
       LossKernel<float, compute_discriminator_loss_gradient<float>>::make},
      {&kCrossEntropy, LossKernel<float, compute_cross_entropy<float>>::make},
      {&kCrossEntropyGradient, LossKernel<float, compute_cross_entropy_gradient<float>>::make},
  }};
  return kTable;
}

bool has_onednn() {
  return true;
}

void use_one_onednn_thread() {
  omp_set_num_threads(1);
}

void cap_onednn(NumericsLevel level) {
  // oneDNN takes the limit once; afterwards only the same one is accepted.
  const bool was_set = dnnl::set_max_cpu_isa(isa(level)) == dnnl::status::success;
  if (!was_set && dnnl::get_effective_cpu_isa() != isa(level)) {
    throw ConfigError("numerics level " + std::string(to_string(level)) +
                      " comes too late: oneDNN already runs at another one");
  }
}

}  // namespace lipizz::nn
