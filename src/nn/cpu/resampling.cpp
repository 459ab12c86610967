#include "nn/cpu/resampling.hpp"

#include <algorithm>

#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

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

// Calls with the offset of each block in a small image, and the offset of the pixel that is
// greatest there.
template <class Each>
void for_each_maximum(const Shape& shape, std::uint32_t kernel, const float* x, const Each& each) {
  const std::size_t channels = shape[3];
  std::size_t position = 0;
  for (std::size_t row = 0; row < std::size_t{shape[0]} * shape[1]; row += kernel) {
    for (std::size_t column = 0; column < shape[2]; column += kernel) {
      for (std::size_t c = 0; c < channels; ++c, ++position) {
        std::size_t best = (row * shape[2] + column) * channels + c;
        for (std::size_t i = 0; i < kernel; ++i) {
          for (std::size_t j = 0; j < kernel; ++j) {
            const std::size_t at = ((row + i) * shape[2] + column + j) * channels + c;
            if (x[at] > x[best]) best = at;
          }
        }
        each(position, best);
      }
    }
  }
}

void upsample(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const auto number = static_cast<float>(node.attributes.number);
  const float* from = values[node.inputs[0].index];
  float* out = values[value.index];
  for_each_pixel(node.shape, node.attributes.window.kernel, [&](std::size_t to, std::size_t block) {
    for (std::size_t c = 0; c < node.shape[3]; ++c) out[to + c] = number * from[block + c];
  });
}

void sum_blocks(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const Shape& large = graph.shape(node.inputs[0]);
  const auto number = static_cast<float>(node.attributes.number);
  const float* from = values[node.inputs[0].index];
  float* out = values[value.index];
  std::fill_n(out, n_elements(node.shape), float{0});
  for_each_pixel(large, node.attributes.window.kernel, [&](std::size_t at, std::size_t block) {
    for (std::size_t c = 0; c < large[3]; ++c) out[block + c] += from[at + c];
  });
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) out[i] *= number;
}

void max_blocks(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const Shape& large = graph.shape(node.inputs[0]);
  const std::uint32_t kernel = node.attributes.window.kernel;
  float* out = values[value.index];
  for (std::size_t row = 0; row < std::size_t{large[0]} * large[1]; row += kernel) {
    for (std::size_t column = 0; column < large[2]; column += kernel, out += large[3]) {
      const float* block = values[node.inputs[0].index] + (row * large[2] + column) * large[3];
      std::copy_n(block, large[3], out);
      for (std::uint32_t i = 0; i < kernel * kernel; ++i) {
        const float* const pixel = block + (i / kernel * large[2] + i % kernel) * large[3];
        for (std::size_t c = 0; c < large[3]; ++c) out[c] = pixel[c] > out[c] ? pixel[c] : out[c];
      }
    }
  }
}

void pick_max(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* u = values[node.inputs[0].index];
  float* out = values[value.index];
  for_each_maximum(graph.shape(node.inputs[1]), node.attributes.window.kernel,
                   values[node.inputs[1].index],
                   [&](std::size_t position, std::size_t best) { out[position] = u[best]; });
}

void route_max(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* dy = values[node.inputs[0].index];
  float* out = values[value.index];
  std::fill_n(out, n_elements(node.shape), float{0});
  for_each_maximum(node.shape, node.attributes.window.kernel, values[node.inputs[1].index],
                   [&](std::size_t position, std::size_t best) { out[best] = dy[position]; });
}

}  // namespace

std::span<const KernelEntry> resampling_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kUpsample, make_function<upsample>},    {&kSumBlocks, make_function<sum_blocks>},
      {&kMaxBlocks, make_function<max_blocks>}, {&kPickMax, make_function<pick_max>},
      {&kRouteMax, make_function<route_max>},
  };
  return kTable;
}

}  // namespace lipizz::nn
