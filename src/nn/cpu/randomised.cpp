#include "nn/cpu/randomised.hpp"

#include <cmath>

#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

void dropout(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const auto rate = static_cast<float>(node.attributes.number);
  const float kept = 1 / (1 - rate);
  const float* x = values[node.inputs[0].index];
  const float* u = values[node.inputs[1].index];
  float* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) out[i] = u[i] < rate ? 0 : x[i] * kept;
}

void interpolate(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* a = values[node.inputs[0].index];
  const float* b = values[node.inputs[1].index];
  const float* u = values[node.inputs[2].index];
  float* out = values[value.index];
  const std::size_t size = n_elements(node.shape) / node.shape[0];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    const float share = u[i / size];
    out[i] = share * a[i] + (1 - share) * b[i];
  }
}

void perturb(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(node.shape);
  const float* x = values[node.inputs[0].index];
  const float* u = values[node.inputs[1].index];
  float* out = values[value.index];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]);
  const double mean = sum / static_cast<double>(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double distance = static_cast<double>(x[i]) - mean;
    squares += distance * distance;
  }
  const auto reach = static_cast<float>(std::sqrt(squares / static_cast<double>(n))) *
                     static_cast<float>(node.attributes.number);
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] + reach * u[i];
}

}  // namespace

std::span<const KernelEntry> randomised_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kDropout, make_function<dropout>},
      {&kInterpolate, make_function<interpolate>},
      {&kPerturb, make_function<perturb>},
  };
  return kTable;
}

}  // namespace lipizz::nn
