#include "nn/cpu/products.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "nn/cpu/bf16.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/cpu/pair_products.hpp"

namespace lipizz::nn {
namespace {

// The two factors of a product as it reads them: where they lie, or rounded to bf16 in workspace.
class Factors {
 public:
  Factors(std::size_t n_a, std::size_t n_b, DataType type)
      : sizes_{n_a, n_b}, is_rounded_(type == DataType::bf16) {}

  [[nodiscard]] std::size_t n_workspace() const {
    return is_rounded_ ? n_floats_of_bf16(sizes_[0]) + n_floats_of_bf16(sizes_[1]) : 0;
  }
  void use_workspace(float* workspace) { workspace_ = workspace; }
  // Element i of factor 0 or 1, of which `read` has been given the values.
  [[nodiscard]] const void* at(std::size_t factor, std::size_t i) const {
    if (is_rounded_) return rounded(factor) + i;
    return values_[factor] + i;
  }
  void read(const float* a, const float* b) {
    values_ = {a, b};
    if (!is_rounded_) return;
    for (const std::size_t factor : {0, 1}) {
      round_to_bf16(values_[factor], rounded(factor), sizes_[factor]);
    }
  }

 private:
  [[nodiscard]] Bf16* rounded(std::size_t factor) const {
    float* first = workspace_ + (factor == 0 ? 0 : n_floats_of_bf16(sizes_[0]));
    return reinterpret_cast<Bf16*>(first);
  }

  std::array<std::size_t, 2> sizes_;
  bool is_rounded_;
  std::array<const float*, 2> values_{};
  float* workspace_ = nullptr;
};

// A product of two inputs.
class ProductKernel : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override { return factors_.n_workspace(); }
  void use_workspace(float* workspace) override { factors_.use_workspace(workspace); }

 protected:
  ProductKernel(const Graph& graph, ValueId value, DataType type)
      : NodeKernel(graph, value),
        factors_(n_elements(graph.shape(node().inputs[0])),
                 n_elements(graph.shape(node().inputs[1])), type) {}

  Factors factors_;
};

// a b (+ bias, activation).
class MatmulKernel final : public ProductKernel {
 public:
  MatmulKernel(const Graph& graph, ValueId value, DataType type)
      : ProductKernel(graph, value, type),
        product_(operand(graph, node().inputs[0], attributes().transpose_a, type),
                 operand(graph, node().inputs[1], attributes().transpose_b, type),
                 operand(graph, value, false, DataType::f32), node().inputs.size() == 3,
                 attributes().activation) {}

  void run(float* const* values) override {
    factors_.read(input(values, 0), input(values, 1));
    product_.run(factors_.at(0, 0), factors_.at(1, 0), input(values, 2), result(values));
  }

 private:
  static dnnl::memory::desc operand(const Graph& graph, ValueId value, bool is_transposed,
                                    DataType type) {
    return matrix(graph.shape(value)[0], graph.shape(value)[1], is_transposed, type);
  }

  Product product_;
};

// Products of matrices [B, ...], one by one.
class BatchMatmulKernel final : public ProductKernel {
 public:
  BatchMatmulKernel(const Graph& graph, ValueId value, DataType type)
      : ProductKernel(graph, value, type),
        shape_a_(graph.shape(node().inputs[0])),
        shape_b_(graph.shape(node().inputs[1])),
        product_(operand(shape_a_, attributes().transpose_a, type),
                 operand(shape_b_, attributes().transpose_b, type),
                 operand(node().shape, false, DataType::f32), false, Activation::kNone) {}

  void run(float* const* values) override {
    factors_.read(input(values, 0), input(values, 1));
    for (std::size_t i = 0; i < node().shape[0]; ++i) {
      product_.run(factors_.at(0, i * size_of_one(shape_a_)),
                   factors_.at(1, i * size_of_one(shape_b_)), nullptr,
                   result(values) + i * size_of_one(node().shape));
    }
  }

 private:
  static dnnl::memory::desc operand(const Shape& shape, bool is_transposed, DataType type) {
    return matrix(shape[1], shape[2], is_transposed, type);
  }
  static std::size_t size_of_one(const Shape& shape) { return std::size_t{shape[1]} * shape[2]; }

  const Shape& shape_a_;
  const Shape& shape_b_;
  Product product_;
};

template <class OneKernel>
std::unique_ptr<Kernel<float>> make_f32(const Graph& graph, ValueId value) {
  return std::make_unique<OneKernel>(graph, value, DataType::f32);
}

// By ourselves with AVX-512, else by oneDNN, in single precision what that does not compute in
// bf16.
template <class OneKernel>
std::unique_ptr<Kernel<float>> make_bf16(const Graph& graph, ValueId value) {
  if (onednn_level() == NumericsLevel::kAvx512Bf16) return make_pair_product(graph, value);
  try {
    return std::make_unique<OneKernel>(graph, value, DataType::bf16);
  } catch (const dnnl::error& error) {
    if (error.status != dnnl_unimplemented) throw;
    return make_f32<OneKernel>(graph, value);
  }
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

using Make = std::unique_ptr<Kernel<float>> (*)(const Graph& graph, ValueId value);

template <Make make_matrix_product>
std::unique_ptr<Kernel<float>> make_product(const Graph& graph, ValueId value) {
  if (auto kernel = make_vector_product(graph, value)) return kernel;
  return make_matrix_product(graph, value);
}

// Or less: those of vectors, and in single precision, ask for none.
std::size_t bf16_workspace_bytes(const Graph& graph, ValueId value) {
  const std::vector<ValueId>& inputs = graph.node(value).inputs;
  const Factors factors(n_elements(graph.shape(inputs[0])), n_elements(graph.shape(inputs[1])),
                        DataType::bf16);
  return std::max(factors.n_workspace() * sizeof(float),
                  pair_product_workspace_bytes(graph, value));
}

}  // namespace

std::span<const KernelEntry> products_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kLinear, make_product<make_f32<MatmulKernel>>},
      {&kMatmul, make_product<make_f32<MatmulKernel>>},
      {&kBatchMatmul, make_f32<BatchMatmulKernel>},
  };
  return kTable;
}

std::span<const KernelEntry> bf16_products_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kLinear, make_product<make_bf16<MatmulKernel>>, bf16_workspace_bytes},
      {&kMatmul, make_product<make_bf16<MatmulKernel>>, bf16_workspace_bytes},
      {&kBatchMatmul, make_bf16<BatchMatmulKernel>, bf16_workspace_bytes},
  };
  return kTable;
}

}  // namespace lipizz::nn
