#include "nn/cpu/drawing.hpp"

#include <algorithm>
#include <type_traits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/base/sample_source.hpp"

namespace lipizz::nn {
namespace {

// What is drawn is told in floats, so that there is nothing to draw in double.
template <class T>
const float* told(const Graph& graph, ValueId value, T* const* values) {
  if constexpr (std::is_same_v<T, float>) {
    return values[graph.node(value).inputs[0].index];
  } else {
    throw InternalError("steps in double are handed what they need");
  }
}

// Calls `fill` with a stretch of floats that becomes the result.
template <class T, class Fill>
void write(const Graph& graph, ValueId value, T* const* values, const Fill& fill) {
  const std::size_t n = n_elements(graph.shape(value));
  if constexpr (std::is_same_v<T, float>) fill(std::span<float>(values[value.index], n));
}

}  // namespace

template <class T>
void draw_normals(const Graph& graph, ValueId value, T* const* values) {
  const Draw draw = Draw::read(told(graph, value, values));
  const Shape& shape = graph.shape(value);
  write(graph, value, values, [&](std::span<float> out) {
    Random(draw.stream).normals(draw.first, shape[0], shape[1], out);
  });
}

template <class T>
void draw_uniforms(const Graph& graph, ValueId value, T* const* values) {
  const Draw draw = Draw::read(told(graph, value, values));
  write(graph, value, values, [&](std::span<float> out) {
    Random(draw.stream).uniforms(draw.first, out, graph.node(value).attributes.offset);
  });
}

template <class T>
void draw_classes(const Graph& graph, ValueId value, T* const* values) {
  const Draw draw = Draw::read(told(graph, value, values));
  const std::uint32_t n_classes = graph.node(value).attributes.groups;
  write(graph, value, values, [&](std::span<float> out) {
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<float>((draw.first + i) % n_classes);
    }
  });
}

template <class T>
void read_samples(const Graph& graph, ValueId value, T* const* values) {
  const float* bits = told(graph, value, values);
  const SampleSource& source = *graph.node(value).attributes.source;
  constexpr std::size_t kMost = 64;  // at once
  std::uint32_t indices[kMost];
  write(graph, value, values, [&](std::span<float> out) {
    const std::size_t n_samples = graph.shape(value)[0];
    for (std::size_t first = 0; first < n_samples; first += kMost) {
      const std::size_t n = std::min(kMost, n_samples - first);
      std::transform(bits + first, bits + first + n, indices, bits_of);
      source.read({indices, n},
                  out.subspan(first * source.sample_size(), n * source.sample_size()));
    }
  });
}

template <class T>
void read_labels(const Graph& graph, ValueId value, T* const* values) {
  const float* bits = told(graph, value, values);
  const SampleSource& source = *graph.node(value).attributes.source;
  write(graph, value, values, [&](std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<float>(source.label(bits_of(bits[i])));
    }
  });
}

#define LIPIZZ_INSTANTIATE(T)                                    \
  template void draw_normals(const Graph&, ValueId, T* const*);  \
  template void draw_uniforms(const Graph&, ValueId, T* const*); \
  template void draw_classes(const Graph&, ValueId, T* const*);  \
  template void read_samples(const Graph&, ValueId, T* const*);  \
  template void read_labels(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
