#include "nn/cpu/pair_products.hpp"

#include "nn/cpu/bf16_product.hpp"
#include "nn/cpu/node_kernel.hpp"

namespace lipizz::nn {
namespace {

// Of one matrix, where there are several.
Bf16Product::Sizes sizes_of(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const std::size_t first = node.shape.size() - 2;
  const Shape& a = graph.shape(node.inputs[0]);
  const bool transpose_a = node.attributes.transpose_a;
  return {node.shape[first], node.shape[first + 1], a[transpose_a ? first : first + 1], transpose_a,
          node.attributes.transpose_b};
}

class PairProductKernel final : public NodeKernel {
 public:
  PairProductKernel(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        sizes_(sizes_of(graph, value)),
        n_products_(n_elements(node().shape) / (sizes_.rows * sizes_.columns)),
        product_(sizes_, attributes().activation) {}

  [[nodiscard]] std::size_t n_workspace() const override { return product_.n_workspace(); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

  void run(float* const* values) override {
    const float* a = input(values, 0);
    const float* b = input(values, 1);
    float* c = result(values);
    for (std::size_t i = 0; i < n_products_; ++i) {
      product_.run(a, b, input(values, 2), c, workspace_);
      a += sizes_.rows * sizes_.terms;
      b += sizes_.terms * sizes_.columns;
      c += sizes_.rows * sizes_.columns;
    }
  }

 private:
  Bf16Product::Sizes sizes_;
  std::size_t n_products_;
  Bf16Product product_;
  float* workspace_ = nullptr;
};

}  // namespace

std::unique_ptr<Kernel<float>> make_pair_product(const Graph& graph, ValueId value) {
  return std::make_unique<PairProductKernel>(graph, value);
}

std::size_t pair_product_workspace_bytes(const Graph& graph, ValueId value) {
  return Bf16Product(sizes_of(graph, value), Activation::kNone).n_workspace() * sizeof(float);
}

}  // namespace lipizz::nn
