#include <omp.h>

#include <array>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "core/error.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/loss_kernels.hpp"
#include "nn/cpu/onednn_engine.hpp"

namespace lipizz::nn {
namespace {

using Dims = dnnl::memory::dims;

dnnl::memory::desc matrix(std::uint32_t rows, std::uint32_t columns, bool is_transposed) {
  // A transposed operand is the same memory read by columns.
  const Dims dims = is_transposed ? Dims{columns, rows} : Dims{rows, columns};
  const Dims strides = is_transposed ? Dims{1, columns} : Dims{columns, 1};
  return {dims, dnnl::memory::data_type::f32, strides};
}

dnnl::primitive_attr fused(Activation activation) {
  dnnl::post_ops post;
  switch (activation) {
    case Activation::kNone:
      return {};
    case Activation::kRelu:
      post.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
      break;
    case Activation::kLeakyRelu:
      post.append_eltwise(1, dnnl::algorithm::eltwise_relu, kLeakySlope, 0);
      break;
    case Activation::kTanh:
      post.append_eltwise(1, dnnl::algorithm::eltwise_tanh, 0, 0);
      break;
    case Activation::kSigmoid:
      post.append_eltwise(1, dnnl::algorithm::eltwise_logistic, 0, 0);
      break;
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post);
  return attributes;
}

// a b (+ bias, activation) on oneDNN's matmul primitive.
class MatmulKernel final : public Kernel<float> {
 public:
  MatmulKernel(const Graph& graph, ValueId value)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const Node& node = graph.node(value);
    const Attributes& how = node.attributes;
    const auto description = [&](ValueId v, bool is_transposed) {
      return matrix(graph.shape(v)[0], graph.shape(v)[1], is_transposed);
    };
    const auto a = description(node.inputs[0], how.transpose_a);
    const auto b = description(node.inputs[1], how.transpose_b);
    const auto c = description(value, false);
    add_argument(DNNL_ARG_SRC, a, node.inputs[0].index);
    add_argument(DNNL_ARG_WEIGHTS, b, node.inputs[1].index);
    add_argument(DNNL_ARG_DST, c, value.index);
    if (node.inputs.size() == 3) {
      const auto bias = matrix(1, graph.shape(value)[1], false);
      add_argument(DNNL_ARG_BIAS, bias, node.inputs[2].index);
      primitive_ =
          dnnl::matmul({dnnl::matmul::desc(a, b, bias, c), fused(how.activation), engine_});
    } else {
      primitive_ = dnnl::matmul({dnnl::matmul::desc(a, b, c), fused(how.activation), engine_});
    }
  }

  void run(float* const* values) override {
    for (auto& [memory, node] : operands_) memory.set_data_handle(values[node]);
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  void add_argument(int role, const dnnl::memory::desc& description, std::uint32_t node) {
    dnnl::memory memory(description, engine_, nullptr);
    arguments_.insert({role, memory});  // shares the handle that run() sets
    operands_.emplace_back(memory, node);
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
  std::vector<std::pair<dnnl::memory, std::uint32_t>> operands_;
};

// A loop of nn/cpu/elementwise.hpp on the nodes of one operation.
class LoopKernel final : public Kernel<float> {
 public:
  using Compute = void (*)(const LoopKernel&, float* const*);
  LoopKernel(const Graph& graph, ValueId value, Compute compute)
      : node_(graph.node(value)),
        first_shape_(graph.shape(node_.inputs[0])),
        result_(value.index),
        compute_(compute) {}
  void run(float* const* values) override { compute_(*this, values); }

  [[nodiscard]] float* input(float* const* values, std::size_t i) const {
    return values[node_.inputs[i].index];
  }
  [[nodiscard]] float* result(float* const* values) const { return values[result_]; }
  [[nodiscard]] const Shape& first_shape() const { return first_shape_; }
  [[nodiscard]] const Shape& result_shape() const { return node_.shape; }
  [[nodiscard]] const Attributes& attributes() const { return node_.attributes; }

 private:
  Node node_;
  Shape first_shape_;
  std::uint32_t result_;
  Compute compute_;
};

template <LoopKernel::Compute compute>
std::unique_ptr<Kernel<float>> make_loop(const Graph& graph, ValueId value) {
  return std::make_unique<LoopKernel>(graph, value, compute);
}

void run_activation_gradient(const LoopKernel& k, float* const* v) {
  activation_gradient(k.attributes().activation, k.input(v, 0), k.input(v, 1), k.result(v),
                      n_elements(k.first_shape()));
}

void run_sum_rows(const LoopKernel& k, float* const* v) {
  sum_rows(k.input(v, 0), k.result(v), k.first_shape()[0], k.first_shape()[1]);
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
  float* const moments[2] = {k.input(v, 3),
                             entry(optimizer.kind).n_moments == 2 ? k.input(v, 4) : nullptr};
  optimizer_step(optimizer, k.input(v, 0), moments, k.input(v, 1), settings[0],
                 static_cast<std::uint32_t>(settings[1]), n_elements(k.first_shape()));
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
  static constexpr std::array<KernelEntry<float>, 12> kTable{{
      {&kLinear, make_product},
      {&kMatmul, make_product},
      {&kSumRows, make_loop<run_sum_rows>},
      {&kActivationGradient, make_loop<run_activation_gradient>},
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
