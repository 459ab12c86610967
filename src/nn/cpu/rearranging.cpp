#include "nn/cpu/rearranging.hpp"

#include <algorithm>

namespace lipizz::nn {
namespace {

// Copies `n` of every row's elements.
template <class T>
void copy_columns(const T* from, std::size_t from_width, T* to, std::size_t to_width, std::size_t n,
                  std::size_t n_rows) {
  for (std::size_t i = 0; i < n_rows; ++i) std::copy_n(from + i * from_width, n, to + i * to_width);
}

std::size_t n_rows(const Shape& shape) {
  return n_elements(shape) / shape.back();
}

// Calls with the offsets of each pixel of a large image and of its block in a small one.
template <class Each>
void for_each_pixel(const Shape& large, std::uint32_t kernel, const Each& each) {
  const std::size_t channels = large[3];
  const std::size_t small_width = large[2] / kernel;
  for (std::size_t row = 0; row < std::size_t{large[0]} * large[1]; ++row) {
    for (std::size_t column = 0; column < large[2]; ++column) {
      each((row * large[2] + column) * channels,
           (row / kernel * small_width + column / kernel) * channels);
    }
  }
}

// Calls with the offset of each block's place, and the offset of the pixel that is greatest there.
template <class T, class Each>
void for_each_maximum(const Shape& shape, std::uint32_t kernel, const T* x, const Each& each) {
  const std::size_t channels = shape[3];
  std::size_t place = 0;
  for (std::size_t row = 0; row < std::size_t{shape[0]} * shape[1]; row += kernel) {
    for (std::size_t column = 0; column < shape[2]; column += kernel) {
      for (std::size_t c = 0; c < channels; ++c, ++place) {
        std::size_t best = (row * shape[2] + column) * channels + c;
        for (std::size_t i = 0; i < kernel; ++i) {
          for (std::size_t j = 0; j < kernel; ++j) {
            const std::size_t at = ((row + i) * shape[2] + column + j) * channels + c;
            if (x[at] > x[best]) best = at;
          }
        }
        each(place, best);
      }
    }
  }
}

}  // namespace

template <class T>
void concatenate(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t width = node.shape.back();
  T* out = values[value.index];
  for (const ValueId input : node.inputs) {
    const std::size_t n = graph.shape(input).back();
    copy_columns(values[input.index], n, out, width, n, n_rows(node.shape));
    out += n;
  }
}

template <class T>
void take_channels(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& from = graph.shape(node.inputs[0]);
  copy_columns(values[node.inputs[0].index] + node.attributes.offset, from.back(),
               values[value.index], node.shape.back(), node.shape.back(), n_rows(from));
}

template <class T>
void spread_channels(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& from = graph.shape(node.inputs[0]);
  std::fill_n(values[value.index], n_elements(node.shape), T{0});
  copy_columns(values[node.inputs[0].index], from.back(),
               values[value.index] + node.attributes.offset, node.shape.back(), from.back(),
               n_rows(from));
}

template <class T>
void upsample(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto number = static_cast<T>(node.attributes.number);
  const T* from = values[node.inputs[0].index];
  T* out = values[value.index];
  for_each_pixel(node.shape, node.attributes.window.kernel, [&](std::size_t to, std::size_t block) {
    for (std::size_t c = 0; c < node.shape[3]; ++c) out[to + c] = number * from[block + c];
  });
}

template <class T>
void sum_blocks(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& large = graph.shape(node.inputs[0]);
  const auto number = static_cast<T>(node.attributes.number);
  const T* from = values[node.inputs[0].index];
  T* out = values[value.index];
  std::fill_n(out, n_elements(node.shape), T{0});
  for_each_pixel(large, node.attributes.window.kernel, [&](std::size_t at, std::size_t block) {
    for (std::size_t c = 0; c < large[3]; ++c) out[block + c] += from[at + c];
  });
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) out[i] *= number;
}

template <class T>
void max_blocks(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& large = graph.shape(node.inputs[0]);
  const std::uint32_t kernel = node.attributes.window.kernel;
  T* out = values[value.index];
  for (std::size_t row = 0; row < std::size_t{large[0]} * large[1]; row += kernel) {
    for (std::size_t column = 0; column < large[2]; column += kernel, out += large[3]) {
      const T* block = values[node.inputs[0].index] + (row * large[2] + column) * large[3];
      std::copy_n(block, large[3], out);
      for (std::uint32_t i = 0; i < kernel * kernel; ++i) {
        const T* const pixel = block + (i / kernel * large[2] + i % kernel) * large[3];
        for (std::size_t c = 0; c < large[3]; ++c) out[c] = pixel[c] > out[c] ? pixel[c] : out[c];
      }
    }
  }
}

template <class T>
void pick_max(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* u = values[node.inputs[0].index];
  T* out = values[value.index];
  for_each_maximum(graph.shape(node.inputs[1]), node.attributes.window.kernel,
                   values[node.inputs[1].index],
                   [&](std::size_t place, std::size_t best) { out[place] = u[best]; });
}

template <class T>
void route_max(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* dy = values[node.inputs[0].index];
  T* out = values[value.index];
  std::fill_n(out, n_elements(node.shape), T{0});
  for_each_maximum(node.shape, node.attributes.window.kernel, values[node.inputs[1].index],
                   [&](std::size_t place, std::size_t best) { out[best] = dy[place]; });
}

#define LIPIZZ_INSTANTIATE(T)                                      \
  template void concatenate(const Graph&, ValueId, T* const*);     \
  template void take_channels(const Graph&, ValueId, T* const*);   \
  template void spread_channels(const Graph&, ValueId, T* const*); \
  template void upsample(const Graph&, ValueId, T* const*);        \
  template void sum_blocks(const Graph&, ValueId, T* const*);      \
  template void max_blocks(const Graph&, ValueId, T* const*);      \
  template void pick_max(const Graph&, ValueId, T* const*);        \
  template void route_max(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
