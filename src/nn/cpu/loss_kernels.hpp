#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/math.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/penalty.hpp"
#include "nn/cpu/plan.hpp"

/// Kernels of the losses, shared by the CPU backends: a few hundred numbers per step, so that one
/// plain form serves all. Sums are taken in double in row order.
namespace lipizz::nn {

template <class T>
T value(const Loss::Term& term, T logit) {
  if constexpr (std::is_same_v<T, float>)
    return term.value(logit);
  else
    return term.value_f64(logit);
}

template <class T>
T slope(const Loss::Term& term, T logit) {
  if constexpr (std::is_same_v<T, float>)
    return term.slope(logit);
  else
    return term.slope_f64(logit);
}

template <class T>
T mean_value(const Loss::Term& term, const T* logits, std::uint32_t n) {
  double sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += static_cast<double>(value(term, logits[i]));
  return static_cast<T>(sum / n);
}

template <class T>
void mean_slope(const Loss::Term& term, const T* logits, std::uint32_t n, T* out) {
  for (std::uint32_t i = 0; i < n; ++i) out[i] = slope(term, logits[i]) / static_cast<T>(n);
}

/// Which node a kernel reads and writes, and how many rows and columns its first input has.
struct LossNodes {
  std::uint32_t input;
  std::uint32_t other;  // loss id, or labels
  std::uint32_t result;
  std::uint32_t n_rows;
  std::uint32_t n_columns;
};

inline LossNodes loss_nodes(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const Shape& logits = graph.shape(node.inputs[0]);
  return {node.inputs[0].index, node.inputs[1].index, value.index, logits[0], logits[1]};
}

template <class T, void (*compute)(const LossNodes&, const T* input, const T* other, T* result)>
class LossKernel final : public Kernel<T> {
 public:
  explicit LossKernel(const LossNodes& nodes) : nodes_(nodes) {}
  void run(T* const* values) override {
    compute(nodes_, values[nodes_.input], values[nodes_.other], values[nodes_.result]);
  }
  static std::unique_ptr<Kernel<T>> make(const Graph& graph, ValueId value) {
    return std::make_unique<LossKernel>(loss_nodes(graph, value));
  }

 private:
  LossNodes nodes_;
};

template <class T>
const Loss& chosen(const T* loss_id) {
  return losses()[static_cast<std::size_t>(*loss_id)];
}

template <class T>
void compute_generator_loss(const LossNodes& n, const T* logits, const T* loss_id, T* out) {
  *out = mean_value(chosen(loss_id).generator, logits, n.n_rows);
}

template <class T>
void compute_generator_loss_gradient(const LossNodes& n, const T* logits, const T* loss_id,
                                     T* out) {
  mean_slope(chosen(loss_id).generator, logits, n.n_rows, out);
}

template <class T>
void compute_discriminator_loss(const LossNodes& n, const T* logits, const T* loss_id, T* out) {
  const Loss& loss = chosen(loss_id);
  const std::uint32_t half = n.n_rows / 2;
  *out = mean_value(loss.real, logits, half) + mean_value(loss.fake, logits + half, half);
}

template <class T>
void compute_discriminator_loss_gradient(const LossNodes& n, const T* logits, const T* loss_id,
                                         T* out) {
  const Loss& loss = chosen(loss_id);
  const std::uint32_t half = n.n_rows / 2;
  mean_slope(loss.real, logits, half, out);
  mean_slope(loss.fake, logits + half, half, out + half);
}

template <class T>
void compute_penalty(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::uint32_t n = graph.shape(node.inputs[0])[0];
  *values[value.index] = static_cast<T>(node.attributes.number) *
                         mean_value(node.attributes.penalty->term, values[node.inputs[0].index], n);
}

template <class T>
void compute_penalty_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  T* out = values[value.index];
  mean_slope(node.attributes.penalty->term, values[node.inputs[0].index], node.shape[0], out);
  for (std::uint32_t i = 0; i < node.shape[0]; ++i)
    out[i] *= static_cast<T>(node.attributes.number);
}

template <class T>
void compute_absolute_error(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(graph.shape(node.inputs[0]));
  const T* a = values[node.inputs[0].index];
  const T* b = values[node.inputs[1].index];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(std::abs(a[i] - b[i]));
  *values[value.index] =
      static_cast<T>(static_cast<double>(node.attributes.number) * sum / static_cast<double>(n));
}

template <class T>
void compute_absolute_error_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(node.shape);
  const T* a = values[node.inputs[0].index];
  const T* b = values[node.inputs[1].index];
  const T slope = static_cast<T>(node.attributes.number) / static_cast<T>(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[value.index][i] = a[i] > b[i] ? slope : a[i] < b[i] ? -slope : T{0};
  }
}

template <class T>
T log_sum_exp(const T* row, std::uint32_t n) {
  const T highest = *std::max_element(row, row + n);
  T sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += math::exp(row[i] - highest);
  return highest + math::log(sum);
}

template <class T>
void compute_cross_entropy(const LossNodes& n, const T* logits, const T* labels, T* out) {
  double sum = 0;
  for (std::uint32_t i = 0; i < n.n_rows; ++i) {
    const T* row = logits + std::size_t{i} * n.n_columns;
    const T loss = log_sum_exp(row, n.n_columns) - row[static_cast<std::size_t>(labels[i])];
    sum += static_cast<double>(loss);
  }
  *out = static_cast<T>(sum / n.n_rows);
}

template <class T>
void compute_cross_entropy_gradient(const LossNodes& n, const T* logits, const T* labels, T* out) {
  for (std::uint32_t i = 0; i < n.n_rows; ++i) {
    const T* row = logits + std::size_t{i} * n.n_columns;
    T* result = out + std::size_t{i} * n.n_columns;
    const T log_sum = log_sum_exp(row, n.n_columns);
    for (std::uint32_t j = 0; j < n.n_columns; ++j) {
      const T target = j == static_cast<std::uint32_t>(labels[i]) ? T{1} : T{0};
      result[j] = (math::exp(row[j] - log_sum) - target) / static_cast<T>(n.n_rows);
    }
  }
}

}  // namespace lipizz::nn
