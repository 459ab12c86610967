#include "nn/cpu/slicing.hpp"

#include <algorithm>

#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

// Copies `n` of every row's elements.
void copy_columns(const float* from, std::size_t from_width, float* to, std::size_t to_width,
                  std::size_t n, std::size_t n_rows) {
  for (std::size_t i = 0; i < n_rows; ++i) std::copy_n(from + i * from_width, n, to + i * to_width);
}

std::size_t n_rows(const Shape& shape) {
  return n_elements(shape) / shape.back();
}

void concatenate(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const std::size_t width = node.shape.back();
  float* out = values[value.index];
  for (const ValueId input : node.inputs) {
    const std::size_t n = graph.shape(input).back();
    copy_columns(values[input.index], n, out, width, n, n_rows(node.shape));
    out += n;
  }
}

void slice_channels(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const Shape& from = graph.shape(node.inputs[0]);
  copy_columns(values[node.inputs[0].index] + node.attributes.offset, from.back(),
               values[value.index], node.shape.back(), node.shape.back(), n_rows(from));
}

void pad_channels(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const Shape& from = graph.shape(node.inputs[0]);
  std::fill_n(values[value.index], n_elements(node.shape), float{0});
  copy_columns(values[node.inputs[0].index], from.back(),
               values[value.index] + node.attributes.offset, node.shape.back(), from.back(),
               n_rows(from));
}

}  // namespace

std::span<const KernelEntry> slicing_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kConcatenate, make_function<concatenate>},
      {&kSliceChannels, make_function<slice_channels>},
      {&kPadChannels, make_function<pad_channels>},
  };
  return kTable;
}

}  // namespace lipizz::nn
