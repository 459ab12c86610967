#pragma once

#include "nn/base/spectral.hpp"
#include "nn/cpu/kernels.hpp"

/// The reference backend's kernels of spectral normalisation.
namespace lipizz::nn {

template <class T>
void iterate_power_of(const Graph& graph, ValueId value, T* const* values) {
  const std::vector<ValueId>& in = graph.node(value).inputs;
  const std::size_t n_out = graph.shape(in[0]).back();
  iterate_power<T>(values[in[0].index], n_elements(graph.shape(in[0])) / n_out, n_out,
                   values[in[1].index], values[in[2].index]);
}

template <class T>
void scale_spectrally(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(node.shape);
  const std::size_t n_out = node.shape.back();
  const T* w = values[node.inputs[0].index];
  const double rate = 1 / singular_value<T>(w, n / n_out, n_out, values[node.inputs[1].index],
                                            values[node.inputs[2].index]);
  for (std::size_t i = 0; i < n; ++i) values[value.index][i] = static_cast<T>(w[i] * rate);
}

// dw = dy / s - (sum of dy w) / s^2 v u^T
template <class T>
void spectral_scale_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n_out = node.shape.back();
  const std::size_t n_in = n_elements(node.shape) / n_out;
  const T* dy = values[node.inputs[0].index];
  const T* w = values[node.inputs[1].index];
  const T* u = values[node.inputs[2].index];
  const T* v = values[node.inputs[3].index];
  T* dw = values[value.index];
  const double s = singular_value<T>(w, n_in, n_out, u, v);
  double product = 0;
  for (std::size_t i = 0; i < n_in * n_out; ++i) product += static_cast<double>(dy[i]) * w[i];
  for (std::size_t i = 0; i < n_in; ++i) {
    const double part = product / (s * s) * v[i];
    for (std::size_t o = 0; o < n_out; ++o) {
      dw[i * n_out + o] = static_cast<T>(dy[i * n_out + o] / s - part * u[o]);
    }
  }
}

}  // namespace lipizz::nn
