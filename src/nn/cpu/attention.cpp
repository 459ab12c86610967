#include "nn/cpu/attention.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace lipizz::nn {

template <class T>
void softmax(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape.back();
  const T* x = values[node.inputs[0].index];
  T* y = values[value.index];
  for (std::size_t row = 0; row < n_elements(node.shape) / n; ++row, x += n, y += n) {
    const T highest = *std::max_element(x, x + n);
    T sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = math::exp(x[i] - highest);
      sum += y[i];
    }
    for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
  }
}

template <class T>
void softmax_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape.back();
  const T* dy = values[node.inputs[0].index];
  const T* y = values[node.inputs[1].index];
  T* dx = values[value.index];
  for (std::size_t row = 0; row < n_elements(node.shape) / n; ++row, dy += n, y += n, dx += n) {
    T sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += dy[i] * y[i];
    for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - sum);
  }
}

template <class T>
void embedding(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape[1];
  const T* classes = values[node.inputs[0].index];
  const T* table = values[node.inputs[1].index];
  T* out = values[value.index];
  for (std::size_t row = 0; row < node.shape[0]; ++row) {
    std::copy_n(table + static_cast<std::size_t>(classes[row]) * n, n, out + row * n);
  }
}

template <class T>
void embedding_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = node.shape[1];
  const T* classes = values[node.inputs[0].index];
  const T* dy = values[node.inputs[1].index];
  T* table = values[value.index];
  std::fill_n(table, n_elements(node.shape), T{0});
  for (std::size_t row = 0; row < graph.shape(node.inputs[0])[0]; ++row) {
    T* sums = table + static_cast<std::size_t>(classes[row]) * n;
    for (std::size_t i = 0; i < n; ++i) sums[i] += dy[row * n + i];
  }
}

#define LIPIZZ_INSTANTIATE(T)                                       \
  template void softmax(const Graph&, ValueId, T* const*);          \
  template void softmax_gradient(const Graph&, ValueId, T* const*); \
  template void embedding(const Graph&, ValueId, T* const*);        \
  template void embedding_gradient(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
