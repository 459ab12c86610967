#pragma once

#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void concatenate(Work& work) {
  const Divisor width(work.shape().back());
  const std::size_t first = work.shape(0).back();
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t row = width.quotient(i);
    const std::size_t c = width.remainder(i);
    o.out()[i] =
        c < first ? o.in(0)[row * first + c] : o.in(1)[row * (width.value() - first) + c - first];
  });
}

template <class Work>
void slice_channels(Work& work) {
  const Divisor n(work.shape().back());
  const std::size_t from = work.shape(0).back();
  work.each(work.size(),
            [=, offset = work.attributes().offset] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = o.in(0)[n.quotient(i) * from + offset + n.remainder(i)];
            });
}

template <class Work>
void pad_channels(Work& work) {
  const Divisor n(work.shape().back());
  const std::size_t from = work.shape(0).back();
  work.each(work.size(),
            [=, offset = work.attributes().offset] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const std::size_t c = n.remainder(i) - offset;  // huge in front of them
              o.out()[i] = c < from ? o.in(0)[n.quotient(i) * from + c] : 0.0f;
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
