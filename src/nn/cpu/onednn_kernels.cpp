#include <omp.h>

#include <array>

#include "core/error.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/loss_kernels.hpp"
#include "nn/cpu/onednn_convolution.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/cpu/rearranging.hpp"
#include "nn/cpu/reference_kernel.hpp"
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

void run_activation_gradient(const LoopKernel& k, float* const* v) {
  activation_gradient(k.attributes().activation, k.input(v, 0), k.input(v, 1), k.result(v),
                      n_elements(k.first_shape()));
}

void run_activation(const LoopKernel& k, float* const* v) {
  activation(k.attributes().activation, k.input(v, 0), k.result(v), n_elements(k.first_shape()));
}

void run_sum_rows(const LoopKernel& k, float* const* v) {
  const std::uint32_t n = k.first_shape().back();
  sum_rows(k.input(v, 0), k.result(v), static_cast<std::uint32_t>(n_elements(k.first_shape()) / n),
           n);
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
  static constexpr std::array<KernelEntry<float>, 33> kTable{{
      {&kLinear, make_product},
      {&kMatmul, make_product},
      {&kSumRows, make_loop<run_sum_rows>},
      {&kActivation, make_loop<run_activation>},
      {&kActivationGradient, make_loop<run_activation_gradient>},
      {&kClip, make_loop<run_clip>},
      {&kConvolution, make_convolution},
      {&kTransposedConvolution, make_transposed_convolution},
      {&kConvolutionWeights, make_convolution_weights},
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
