#include "nn/cpu/embedding.hpp"

#include <algorithm>

#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

void embedding(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape[1];
  const float* classes = values[node.inputs[0].index];
  const float* table = values[node.inputs[1].index];
  float* out = values[value.index];
  for (std::size_t row = 0; row < node.shape[0]; ++row) {
    std::copy_n(table + static_cast<std::size_t>(classes[row]) * n, n, out + row * n);
  }
}

void embedding_gradient(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape[1];
  const float* classes = values[node.inputs[0].index];
  const float* dy = values[node.inputs[1].index];
  float* table = values[value.index];
  std::fill_n(table, n_elements(node.shape), float{0});
  for (std::size_t row = 0; row < graph.shape(node.inputs[0])[0]; ++row) {
    float* sums = table + static_cast<std::size_t>(classes[row]) * n;
    for (std::size_t i = 0; i < n; ++i) sums[i] += dy[row * n + i];
  }
}

}  // namespace

std::span<const KernelEntry> embedding_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kEmbedding, make_function<embedding>},
      {&kEmbeddingGradient, make_function<embedding_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
