#pragma once

#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// Images [N, H, W, C] and the blocks of kernel x kernel pixels that they are cut into.
struct Blocks {
  Blocks(const Shape& large, std::uint32_t kernel_)
      : width(large[2]), small_width(large[2] / kernel_), channels(large[3]), kernel(kernel_) {}

  /// The index in the small images of the block that element i of the large ones belongs to.
  [[nodiscard]] constexpr std::size_t block(std::size_t i) const {
    const std::uint32_t pixel = channels.quotient(i);
    const std::size_t row = kernel.quotient(width.quotient(pixel));
    const std::size_t column = kernel.quotient(width.remainder(pixel));
    return (row * small_width.value() + column) * channels.value() + channels.remainder(i);
  }
  /// The index in the large images of a block's first element.
  [[nodiscard]] constexpr std::size_t first(std::size_t block) const {
    const std::uint32_t small = channels.quotient(block);
    const std::size_t row = std::size_t{small_width.quotient(small)} * kernel.value();
    const std::size_t column = std::size_t{small_width.remainder(small)} * kernel.value();
    return (row * width.value() + column) * channels.value() + channels.remainder(block);
  }
  /// The index of the j-th pixel of a block that begins at `first`.
  [[nodiscard]] constexpr std::size_t pixel(std::size_t first, std::size_t j) const {
    const std::size_t row = kernel.quotient(j);
    return first + (row * width.value() + kernel.remainder(j)) * channels.value();
  }
  [[nodiscard]] constexpr std::size_t size() const {
    return std::size_t{kernel.value()} * kernel.value();
  }

  /// The index of a block's greatest element of x, the first such.
  constexpr std::size_t greatest(const float* x, std::size_t block) const {
    const std::size_t begin = first(block);
    std::size_t best = begin;
    for (std::size_t j = 1; j < size(); ++j) {
      if (x[pixel(begin, j)] > x[best]) best = pixel(begin, j);
    }
    return best;
  }

  Divisor width, small_width, channels, kernel;
};

template <class Work>
void upsample(Work& work) {
  const Blocks blocks(work.shape(), work.attributes().window.kernel);
  work.each(work.size(),
            [=, number = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = number * o.in(0)[blocks.block(i)];
            });
}

template <class Work>
void sum_blocks(Work& work) {
  const Blocks blocks(work.shape(0), work.attributes().window.kernel);
  work.each(work.size(),
            [=, number = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const std::size_t first = blocks.first(i);
              float sum = 0;
              for (std::size_t j = 0; j < blocks.size(); ++j)
                sum += o.in(0)[blocks.pixel(first, j)];
              o.out()[i] = sum * number;
            });
}

template <class Work>
void max_blocks(Work& work) {
  const Blocks blocks(work.shape(0), work.attributes().window.kernel);
  work.each(work.size(), [blocks] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[blocks.greatest(o.in(0), i)];
  });
}

template <class Work>
void pick_max(Work& work) {
  const Blocks blocks(work.shape(1), work.attributes().window.kernel);
  work.each(work.size(), [blocks] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[blocks.greatest(o.in(1), i)];
  });
}

template <class Work>
void route_max(Work& work) {
  const Blocks blocks(work.shape(), work.attributes().window.kernel);
  work.each(work.size(), [blocks] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t block = blocks.block(i);
    o.out()[i] = blocks.greatest(o.in(1), block) == i ? o.in(0)[block] : 0.0f;
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto resampling_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kUpsample, upsample},
      {&kSumBlocks, sum_blocks},
      {&kMaxBlocks, max_blocks},
      {&kPickMax, pick_max},
      {&kRouteMax, route_max},
  });
}

}  // namespace lipizz::nn::cuda
