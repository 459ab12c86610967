#include "nn/cpu/resampling.hpp"

#include <cstring>
#include <type_traits>

#include "core/simd.hpp"
#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

// Channels side by side: sixteen as long as there are so many, the last ones one at a time.
using Sixteen [[gnu::vector_size(16 * sizeof(float))]] = float;

template <class Channels>
LIPIZZ_INLINE void load(const float* from, Channels& values) {
  std::memcpy(&values, from, sizeof values);
}

template <class Channels>
LIPIZZ_INLINE void store(float* to, const Channels& values) {
  std::memcpy(to, &values, sizeof values);
}

// Blocks of pixels of large images, each of them a pixel of small ones.
class Blocks {
 public:
  Blocks(const Shape& large, std::uint32_t kernel)
      : n_lines_(std::size_t{large[0]} * large[1] / kernel),
        n_in_line_(large[2] / kernel),
        kernel_(kernel),
        channels_(large[3]),
        line_size_(std::size_t{large[2]} * large[3]) {}

  // Calls with some channels of each block: their type, and their offsets in the first pixel of the
  // block and in the small images.
  template <class Each>
  LIPIZZ_INLINE void for_each(const Each& each) const {
    std::size_t small = 0;
    for (std::size_t line = 0; line < n_lines_; ++line) {
      std::size_t large = line * kernel_ * line_size_;
      for (std::size_t block = 0; block < n_in_line_; ++block, large += (kernel_ - 1) * channels_) {
        std::size_t left = channels_;
        for (; left >= 16; left -= 16, large += 16, small += 16) {
          each(std::type_identity<Sixteen>(), large, small);
        }
        for (; left > 0; --left, ++large, ++small) each(std::type_identity<float>(), large, small);
      }
    }
  }

  // Calls with the number of each pixel of a block, and the offset of its channels.
  template <class Each>
  LIPIZZ_INLINE void for_each_pixel(std::size_t first, const Each& each) const {
    std::uint32_t pixel = 0;
    for (std::size_t i = 0; i < kernel_; ++i, first += line_size_) {
      for (std::size_t j = 0; j < kernel_; ++j, ++pixel) each(pixel, first + j * channels_);
    }
  }

  // The number of the pixel where x is greatest, the first such.
  template <class Channels>
  LIPIZZ_INLINE void find_greatest(const float* x, std::size_t first, Channels& which) const {
    Channels value, most;
    load(x + first, most);
    which = Channels{};
    for_each_pixel(first, [&](std::uint32_t pixel, std::size_t at) LIPIZZ_INLINE_LAMBDA {
      load(x + at, value);
      which = value > most ? Channels{} + static_cast<float>(pixel) : which;
      most = value > most ? value : most;
    });
  }

 private:
  std::size_t n_lines_;    // of blocks
  std::size_t n_in_line_;  // blocks
  std::size_t kernel_;
  std::size_t channels_;
  std::size_t line_size_;  // of large images
};

LIPIZZ_MULTIVERSION
void upsample(const Blocks& blocks, const float* x, float number, float* y) {
  blocks.for_each([&](auto type, std::size_t first, std::size_t small) LIPIZZ_INLINE_LAMBDA {
    typename decltype(type)::type value;
    load(x + small, value);
    value *= number;
    blocks.for_each_pixel(
        first, [&](std::uint32_t, std::size_t at) LIPIZZ_INLINE_LAMBDA { store(y + at, value); });
  });
}

LIPIZZ_MULTIVERSION
void sum_blocks(const Blocks& blocks, const float* x, float number, float* y) {
  blocks.for_each([&](auto type, std::size_t first, std::size_t small) LIPIZZ_INLINE_LAMBDA {
    using Channels = typename decltype(type)::type;
    Channels sum{}, value;
    blocks.for_each_pixel(first, [&](std::uint32_t, std::size_t at) LIPIZZ_INLINE_LAMBDA {
      load(x + at, value);
      sum += value;
    });
    sum *= number;
    store(y + small, sum);
  });
}

LIPIZZ_MULTIVERSION
void max_blocks(const Blocks& blocks, const float* x, float* y) {
  blocks.for_each([&](auto type, std::size_t first, std::size_t small) LIPIZZ_INLINE_LAMBDA {
    using Channels = typename decltype(type)::type;
    Channels value, most;
    load(x + first, most);
    blocks.for_each_pixel(first, [&](std::uint32_t, std::size_t at) LIPIZZ_INLINE_LAMBDA {
      load(x + at, value);
      most = value > most ? value : most;
    });
    store(y + small, most);
  });
}

LIPIZZ_MULTIVERSION
void pick_max(const Blocks& blocks, const float* u, const float* x, float* y) {
  blocks.for_each([&](auto type, std::size_t first, std::size_t small) LIPIZZ_INLINE_LAMBDA {
    using Channels = typename decltype(type)::type;
    Channels which, value, picked{};
    blocks.find_greatest(x, first, which);
    blocks.for_each_pixel(first, [&](std::uint32_t pixel, std::size_t at) LIPIZZ_INLINE_LAMBDA {
      load(u + at, value);
      picked = which == static_cast<float>(pixel) ? value : picked;
    });
    store(y + small, picked);
  });
}

LIPIZZ_MULTIVERSION
void route_max(const Blocks& blocks, const float* dy, const float* x, float* dx) {
  blocks.for_each([&](auto type, std::size_t first, std::size_t small) LIPIZZ_INLINE_LAMBDA {
    using Channels = typename decltype(type)::type;
    Channels which, derivative;
    blocks.find_greatest(x, first, which);
    load(dy + small, derivative);
    blocks.for_each_pixel(first, [&](std::uint32_t pixel, std::size_t at) LIPIZZ_INLINE_LAMBDA {
      store(dx + at, which == static_cast<float>(pixel) ? derivative : Channels{});
    });
  });
}

Blocks blocks_of(const Shape& large, const Node& node) {
  return {large, node.attributes.window.kernel};
}

void run_upsample(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  upsample(blocks_of(node.shape, node), values[node.inputs[0].index],
           static_cast<float>(node.attributes.number), values[value.index]);
}

void run_sum_blocks(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  sum_blocks(blocks_of(graph.shape(node.inputs[0]), node), values[node.inputs[0].index],
             static_cast<float>(node.attributes.number), values[value.index]);
}

void run_max_blocks(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  max_blocks(blocks_of(graph.shape(node.inputs[0]), node), values[node.inputs[0].index],
             values[value.index]);
}

void run_pick_max(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  pick_max(blocks_of(graph.shape(node.inputs[1]), node), values[node.inputs[0].index],
           values[node.inputs[1].index], values[value.index]);
}

void run_route_max(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  route_max(blocks_of(node.shape, node), values[node.inputs[0].index], values[node.inputs[1].index],
            values[value.index]);
}

}  // namespace

std::span<const KernelEntry> resampling_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kUpsample, make_function<run_upsample>},    {&kSumBlocks, make_function<run_sum_blocks>},
      {&kMaxBlocks, make_function<run_max_blocks>}, {&kPickMax, make_function<run_pick_max>},
      {&kRouteMax, make_function<run_route_max>},
  };
  return kTable;
}

}  // namespace lipizz::nn
