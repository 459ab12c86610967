#include "nn/cpu/products.hpp"

#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/onednn_primitives.hpp"

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

std::unique_ptr<Kernel<float>> make_product(const Graph& graph, ValueId value) {
  if (auto kernel = make_vector_product(graph, value)) return kernel;
  return std::make_unique<MatmulKernel>(graph, value);
}

}  // namespace

std::span<const KernelEntry> products_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kLinear, make_product},
      {&kMatmul, make_product},
      {&kBatchMatmul, make_batch_product},
  };
  return kTable;
}

}  // namespace lipizz::nn
