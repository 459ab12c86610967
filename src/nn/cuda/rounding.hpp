#pragma once

#include "nn/base/drawn_numbers.hpp"
#include "nn/base/half.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <Half format, class Work>
void round_to(Work& work) {
  work.each(work.size(), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = rounded_to<format>(o.in(0)[i]);
  });
}

template <Half format, class Work>
void pack_as(Work& work) {
  const std::size_t n = work.size(0);
  const std::size_t n_first = work.size();
  work.each(n_first, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float second = n_first + i < n ? o.in(0)[n_first + i] : 0;
    o.out()[i] = packed(half_bits<format>(o.in(0)[i]), half_bits<format>(second));
  });
}

template <Half format, class Work>
void unpack_from(Work& work) {
  const std::size_t n_first = work.size(0);
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::uint32_t both = bits_of(o.in(0)[i < n_first ? i : i - n_first]);
    o.out()[i] = half_number<format>(i < n_first ? both & 0xffffU : both >> 16);
  });
}

template <class Work>
void round(Work& work) {
  with_format(work.attributes(), [&work]<Half format>() { round_to<format>(work); });
}

template <class Work>
void pack(Work& work) {
  with_format(work.attributes(), [&work]<Half format>() { pack_as<format>(work); });
}

template <class Work>
void unpack(Work& work) {
  with_format(work.attributes(), [&work]<Half format>() { unpack_from<format>(work); });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto rounding_kernels() {
  return std::to_array<KernelEntry<Work>>({{&kRound, round}, {&kPack, pack}, {&kUnpack, unpack}});
}

}  // namespace lipizz::nn::cuda
