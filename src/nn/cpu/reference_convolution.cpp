#include <algorithm>

#include "nn/convolution.hpp"
#include "nn/cpu/reference_kernel.hpp"

namespace lipizz::nn {
namespace {

// Calls with the offsets of x's and y's channels and of the weights [C, O] between them, for each
// image, place and element of the window that lies in the image.
template <class Each>
void for_each_pair(const ConvolutionShape& e, const Each& each) {
  const auto [kernel, stride, padding] = e.window;
  for (std::size_t n = 0; n < e.x[0]; ++n) {
    for (std::size_t row = 0; row < e.y[1]; ++row) {
      for (std::size_t column = 0; column < e.y[2]; ++column) {
        for (std::size_t i = 0; i < kernel; ++i) {
          for (std::size_t j = 0; j < kernel; ++j) {
            const std::size_t h = row * stride + i;  // from the padding's edge
            const std::size_t w = column * stride + j;
            const bool is_inside =
                h >= padding && h - padding < e.x[1] && w >= padding && w - padding < e.x[2];
            if (!is_inside) continue;
            each(((n * e.x[1] + h - padding) * e.x[2] + w - padding) * e.x[3],
                 ((n * e.y[1] + row) * e.y[2] + column) * e.y[3],
                 (i * kernel + j) * e.x[3] * e.y[3]);
          }
        }
      }
    }
  }
}

// Each row of the result = bias or 0, ready to be added to.
template <class T>
void start(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t channels = node.shape.back();
  const T* bias = node.inputs.size() == 3 ? values[node.inputs[2].index] : nullptr;
  T* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    out[i] = bias == nullptr ? T{0} : bias[i % channels];
  }
}

template <class T>
void finish(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  T* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    out[i] = activate(node.attributes.activation, out[i]);
  }
}

}  // namespace

template <class T>
void reference_convolution(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const ConvolutionShape extents = convolution_shape(graph, value);
  const T* x = values[node.inputs[0].index];
  const T* weights = values[node.inputs[1].index];
  T* y = values[value.index];
  start(graph, value, values);
  for_each_pair(extents, [&](std::size_t from, std::size_t to, std::size_t between) {
    for (std::size_t c = 0; c < extents.x[3]; ++c) {
      const T* w = weights + between + c * extents.y[3];
      for (std::size_t o = 0; o < extents.y[3]; ++o) y[to + o] += x[from + c] * w[o];
    }
  });
  finish(graph, value, values);
}

template <class T>
void reference_transposed_convolution(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const ConvolutionShape extents = convolution_shape(graph, value);
  const T* y = values[node.inputs[0].index];
  const T* weights = values[node.inputs[1].index];
  T* x = values[value.index];
  start(graph, value, values);
  for_each_pair(extents, [&](std::size_t to, std::size_t from, std::size_t between) {
    for (std::size_t c = 0; c < extents.x[3]; ++c) {
      const T* w = weights + between + c * extents.y[3];
      T sum = 0;
      for (std::size_t o = 0; o < extents.y[3]; ++o) sum += y[from + o] * w[o];
      x[to + c] += sum;
    }
  });
  finish(graph, value, values);
}

template <class T>
void reference_convolution_weights(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const ConvolutionShape extents = convolution_shape(graph, value);
  const T* x = values[node.inputs[0].index];
  const T* dy = values[node.inputs[1].index];
  T* weights = values[value.index];
  std::fill_n(weights, n_elements(node.shape), T{0});
  for_each_pair(extents, [&](std::size_t from, std::size_t to, std::size_t between) {
    for (std::size_t c = 0; c < extents.x[3]; ++c) {
      T* w = weights + between + c * extents.y[3];
      for (std::size_t o = 0; o < extents.y[3]; ++o) w[o] += x[from + c] * dy[to + o];
    }
  });
}

#define LIPIZZ_INSTANTIATE(T)                                                       \
  template void reference_convolution(const Graph&, ValueId, T* const*);            \
  template void reference_transposed_convolution(const Graph&, ValueId, T* const*); \
  template void reference_convolution_weights(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
