#include "nn/cpu/drawing.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

// The first input: what to draw, or which samples.
const float* told(const Graph& graph, ValueId value, float* const* values) {
  return values[graph.node(value).inputs[0].index];
}

std::span<float> result(const Graph& graph, ValueId value, float* const* values) {
  return {values[value.index], n_elements(graph.shape(value))};
}

// The draw whose first sample is that of the first row.
Draw draw_of_rows(const Graph& graph, ValueId value, float* const* values) {
  Draw draw = Draw::read(told(graph, value, values));
  draw.first += static_cast<std::uint32_t>(graph.node(value).attributes.offset);
  return draw;
}

void draw_normals(const Graph& graph, ValueId value, float* const* values) {
  const Draw draw = draw_of_rows(graph, value, values);
  const Shape& shape = graph.shape(value);
  Random(draw.stream).normals(draw.first, shape[0], shape[1], result(graph, value, values));
}

void draw_uniforms(const Graph& graph, ValueId value, float* const* values) {
  const Draw draw = Draw::read(told(graph, value, values));
  Random(draw.stream)
      .uniforms(draw.first, result(graph, value, values), graph.node(value).attributes.offset);
}

void draw_classes(const Graph& graph, ValueId value, float* const* values) {
  const Draw draw = draw_of_rows(graph, value, values);
  const std::uint32_t n_classes = graph.node(value).attributes.groups;
  const std::span<float> out = result(graph, value, values);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>((draw.first + i) % n_classes);
  }
}

void read_samples(const Graph& graph, ValueId value, float* const* values) {
  const float* bits = told(graph, value, values);
  const SampleSource& source = *graph.node(value).attributes.source;
  constexpr std::size_t kMost = 64;  // at once
  std::uint32_t indices[kMost];
  const std::span<float> out = result(graph, value, values);
  const std::size_t n_samples = graph.shape(value)[0];
  for (std::size_t first = 0; first < n_samples; first += kMost) {
    const std::size_t n = std::min(kMost, n_samples - first);
    std::transform(bits + first, bits + first + n, indices, [](float b) { return bits_of(b); });
    source.read({indices, n}, out.subspan(first * source.sample_size(), n * source.sample_size()));
  }
}

void read_labels(const Graph& graph, ValueId value, float* const* values) {
  const float* bits = told(graph, value, values);
  const SampleSource& source = *graph.node(value).attributes.source;
  const std::span<float> out = result(graph, value, values);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>(source.label(bits_of(bits[i])));
  }
}

}  // namespace

std::span<const KernelEntry> drawing_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kNormals, make_function<draw_normals>},       {&kUniforms, make_function<draw_uniforms>},
      {&kClassesInTurn, make_function<draw_classes>}, {&kSamples, make_function<read_samples>},
      {&kLabels, make_function<read_labels>},
  };
  return kTable;
}

}  // namespace lipizz::nn
