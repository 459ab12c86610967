#pragma once

#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void concatenate(Work& work) {
  const std::size_t width = work.shape().back();
  const std::size_t first = work.shape(0).back();
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t row = i / width;
    const std::size_t c = i % width;
    o.out()[i] = c < first ? o.in(0)[row * first + c] : o.in(1)[row * (width - first) + c - first];
  });
}

template <class Work>
void slice_channels(Work& work) {
  const std::size_t n = work.shape().back();
  const std::size_t from = work.shape(0).back();
  work.each(work.size(),
            [=, offset = work.attributes().offset] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = o.in(0)[i / n * from + offset + i % n];
            });
}

template <class Work>
void pad_channels(Work& work) {
  const std::size_t n = work.shape().back();
  const std::size_t from = work.shape(0).back();
  work.each(work.size(),
            [=, offset = work.attributes().offset] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const std::size_t c = i % n - offset;  // huge in front of them
              o.out()[i] = c < from ? o.in(0)[i / n * from + c] : 0.0f;
            });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto slicing_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kConcatenate, concatenate},
      {&kSliceChannels, slice_channels},
      {&kPadChannels, pad_channels},
  });
}

}  // namespace lipizz::nn::cuda
