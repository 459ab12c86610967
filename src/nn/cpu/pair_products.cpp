#include "nn/cpu/pair_products.hpp"

#include "nn/cpu/bf16_product.hpp"
#include "nn/cpu/node_kernel.hpp"

namespace lipizz::nn {
namespace {

// The product of one pair of matrices, where there are several.
ProductSpec spec_of(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const std::size_t first = node.shape.size() - 2;
  const Shape& a = graph.shape(node.inputs[0]);
  const bool transpose_a = node.attributes.transpose_a;
  return {node.shape[first],
          node.shape[first + 1],
          a[transpose_a ? first : first + 1],
          transpose_a,
          node.attributes.transpose_b,
          node.inputs.size() == 3,
          node.attributes.activation};
}

class PairProductKernel final : public NodeKernel {
 public:
  PairProductKernel(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        spec_(spec_of(graph, value)),
        n_products_(n_elements(node().shape) / (spec_.rows * spec_.columns)),
        product_(spec_) {}

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
  Bf16Product product_;
  float* workspace_ = nullptr;
};

}  // namespace

std::unique_ptr<Kernel<float>> make_pair_product(const Graph& graph, ValueId value) {
  return std::make_unique<PairProductKernel>(graph, value);
}

std::size_t pair_product_workspace_bytes(const Graph& graph, ValueId value) {
  return Bf16Product(spec_of(graph, value)).n_workspace() * sizeof(float);
}

}  // namespace lipizz::nn
