#include "nn/cpu/losses.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "nn/base/penalty.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/loss_kernel.hpp"
#include "nn/cpu/loss_terms.hpp"

namespace lipizz::nn {
namespace {

// The weight of the penalty at this point of its schedule.
float weight(const Node& node, float* const* values) {
  return node.attributes.number + node.attributes.number_change * *values[node.inputs[1].index];
}

void penalty(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::uint32_t n = graph.shape(node.inputs[0])[0];
  *values[value.index] = weight(node, values) *
                         mean_value(node.attributes.penalty->term, values[node.inputs[0].index], n);
}

void penalty_gradient(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  float* out = values[value.index];
  mean_slope(node.attributes.penalty->term, values[node.inputs[0].index], node.shape[0], out);
  const float factor = weight(node, values);
  for (std::uint32_t i = 0; i < node.shape[0]; ++i) out[i] *= factor;
}

void absolute_error(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(graph.shape(node.inputs[0]));
  const float* a = values[node.inputs[0].index];
  const float* b = values[node.inputs[1].index];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(std::abs(a[i] - b[i]));
  *values[value.index] = static_cast<float>(static_cast<double>(node.attributes.number) * sum /
                                            static_cast<double>(n));
}

void absolute_error_gradient(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(node.shape);
  const float* a = values[node.inputs[0].index];
  const float* b = values[node.inputs[1].index];
  const float slope = static_cast<float>(node.attributes.number) / static_cast<float>(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[value.index][i] = a[i] > b[i] ? slope : a[i] < b[i] ? -slope : float{0};
  }
}

float log_sum_exp(const float* row, std::uint32_t n) {
  const float highest = *std::max_element(row, row + n);
  float sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += math::exp(row[i] - highest);
  return highest + math::log(sum);
}

void cross_entropy(const LossNodes& n, const float* logits, const float* labels, float* out) {
  double sum = 0;
  for (std::uint32_t i = 0; i < n.n_rows; ++i) {
    const float* row = logits + std::size_t{i} * n.n_columns;
    const float loss = log_sum_exp(row, n.n_columns) - row[static_cast<std::size_t>(labels[i])];
    sum += static_cast<double>(loss);
  }
  *out = static_cast<float>(sum / n.n_rows);
}

void cross_entropy_gradient(const LossNodes& n, const float* logits, const float* labels,
                            float* out) {
  for (std::uint32_t i = 0; i < n.n_rows; ++i) {
    const float* row = logits + std::size_t{i} * n.n_columns;
    float* result = out + std::size_t{i} * n.n_columns;
    const float log_sum = log_sum_exp(row, n.n_columns);
    for (std::uint32_t j = 0; j < n.n_columns; ++j) {
      const float target = j == static_cast<std::uint32_t>(labels[i]) ? float{1} : float{0};
      result[j] = (math::exp(row[j] - log_sum) - target) / static_cast<float>(n.n_rows);
    }
  }
}

}  // namespace

std::span<const KernelEntry> losses_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kCrossEntropy, make_loss<cross_entropy>},
      {&kCrossEntropyGradient, make_loss<cross_entropy_gradient>},
      {&kPenalty, make_function<penalty>},
      {&kPenaltyGradient, make_function<penalty_gradient>},
      {&kAbsoluteError, make_function<absolute_error>},
      {&kAbsoluteErrorGradient, make_function<absolute_error_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
