#include "nn/cpu/products.hpp"

#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/matrix_product.hpp"
#include "nn/cpu/node_kernel.hpp"

namespace lipizz::nn {
namespace {

// That of one pair of matrices, where there are several.
ProductSpec spec_of(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const std::size_t first = node.shape.size() - 2;
  const Shape& a = graph.shape(node.inputs[0]);
  const bool transpose_a = node.attributes.transpose_a;
  return {.rows = node.shape[first],
          .columns = node.shape[first + 1],
          .terms = a[transpose_a ? first : first + 1],
          .transpose_a = transpose_a,
          .transpose_b = node.attributes.transpose_b,
          .has_bias = node.inputs.size() == 3,
          .activation = node.attributes.activation};
}

// a b (+ bias, activation), or products of matrices [B, ...], one by one.
template <Precision precision>
class MatrixProductKernel final : public NodeKernel {
 public:
  MatrixProductKernel(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        spec_(spec_of(graph, value)),
        n_products_(n_elements(node().shape) / (spec_.rows * spec_.columns)),
        product_(spec_, precision) {}

  [[nodiscard]] std::size_t n_workspace() const override { return product_.n_workspace(); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

  void run(float* const* values) override {
    const float* a = input(values, 0);
    const float* b = input(values, 1);
    float* c = result(values);
    for (std::size_t i = 0; i < n_products_; ++i) {
      product_.run(a, b, input(values, 2), c, workspace_);
      a += spec_.rows * spec_.terms;
      b += spec_.terms * spec_.columns;
      c += spec_.rows * spec_.columns;
    }
  }

 private:
  ProductSpec spec_;
  std::size_t n_products_;
  MatrixProduct product_;
  float* workspace_ = nullptr;
};

template <Precision precision>
std::unique_ptr<Kernel<float>> make_matrix_product(const Graph& graph, ValueId value) {
  return std::make_unique<MatrixProductKernel<precision>>(graph, value);
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

template <Precision precision>
std::unique_ptr<Kernel<float>> make_product(const Graph& graph, ValueId value) {
  if (auto kernel = make_vector_product(graph, value)) return kernel;
  return make_matrix_product<precision>(graph, value);
}

// Or less: those of vectors ask for none.
std::size_t workspace_bytes(const Engine& engine, const Graph& graph, ValueId value) {
  return MatrixProduct::n_workspace(spec_of(graph, value), engine.level, engine.precision) *
         sizeof(float);
}

template <Precision precision>
std::span<const KernelEntry> kernels_in() {
  static constexpr KernelEntry kTable[] = {
      {&kLinear, make_product<precision>, workspace_bytes},
      {&kMatmul, make_product<precision>, workspace_bytes},
      {&kBatchMatmul, make_matrix_product<precision>, workspace_bytes},
  };
  return kTable;
}

}  // namespace

std::span<const KernelEntry> products_kernels() {
  return kernels_in<Precision::kF32>();
}

std::span<const KernelEntry> bf16_products_kernels() {
  return kernels_in<Precision::kBf16>();
}

}  // namespace lipizz::nn
