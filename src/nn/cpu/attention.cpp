#include "nn/cpu/attention.hpp"

#include <algorithm>

#include "core/math.hpp"
#include "core/simd.hpp"
#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

LIPIZZ_MULTIVERSION
void exp_of_differences(const float* x, float highest, float* y, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = math::exp(x[i] - highest);
}

void softmax(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape.back();
  const float* x = values[node.inputs[0].index];
  float* y = values[value.index];
  for (std::size_t row = 0; row < n_elements(node.shape) / n; ++row, x += n, y += n) {
    const float highest = *std::max_element(x, x + n);
    exp_of_differences(x, highest, y, n);
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += y[i];
    for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
  }
}

void softmax_gradient(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape.back();
  const float* dy = values[node.inputs[0].index];
  const float* y = values[node.inputs[1].index];
  float* dx = values[value.index];
  for (std::size_t row = 0; row < n_elements(node.shape) / n; ++row, dy += n, y += n, dx += n) {
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += dy[i] * y[i];
    for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - sum);
  }
}

}  // namespace

std::span<const KernelEntry> attention_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kSoftmax, make_function<softmax>},
      {&kSoftmaxGradient, make_function<softmax_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
