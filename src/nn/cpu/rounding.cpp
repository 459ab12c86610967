#include "nn/cpu/rounding.hpp"

#include "core/simd.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/base/half.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/graph/operations/rounding.hpp"

namespace lipizz::nn {
namespace {

template <Half format>
LIPIZZ_INLINE void round_all(const float* x, float* y, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = rounded_to<format>(x[i]);
}

template <Half format>
LIPIZZ_INLINE void pack_all(const float* __restrict x, float* __restrict y, std::size_t n) {
  const std::size_t n_second = n / 2;
  const float* second = x + n_packed(n);
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n_second; ++i) {
    y[i] = packed(half_bits<format>(x[i]), half_bits<format>(second[i]));
  }
  if (n % 2 == 1) y[n_second] = packed(half_bits<format>(x[n_second]), 0);
}

template <Half format>
LIPIZZ_INLINE void unpack_all(const float* __restrict x, float* __restrict y, std::size_t n) {
  const std::size_t n_second = n / 2;
  float* second = y + n_packed(n);
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n_second; ++i) {
    const std::uint32_t both = bits_of(x[i]);
    y[i] = half_number<format>(both & 0xffffU);
    second[i] = half_number<format>(both >> 16);
  }
  if (n % 2 == 1) y[n_second] = half_number<format>(bits_of(x[n_second]) & 0xffffU);
}

LIPIZZ_MULTIVERSION
void round(Half format, const float* x, float* y, std::size_t n) {
  if (format == Half::kFp16) return round_all<Half::kFp16>(x, y, n);
  round_all<Half::kBf16>(x, y, n);
}

LIPIZZ_MULTIVERSION
void pack(Half format, const float* x, float* y, std::size_t n) {
  if (format == Half::kFp16) return pack_all<Half::kFp16>(x, y, n);
  pack_all<Half::kBf16>(x, y, n);
}

LIPIZZ_MULTIVERSION
void unpack(Half format, const float* x, float* y, std::size_t n) {
  if (format == Half::kFp16) return unpack_all<Half::kFp16>(x, y, n);
  unpack_all<Half::kBf16>(x, y, n);
}

void run_round(const LoopKernel& k, float* const* v) {
  round(format_of(k.attributes()), k.input(v, 0), k.result(v), n_elements(k.first_shape()));
}

void run_pack(const LoopKernel& k, float* const* v) {
  pack(format_of(k.attributes()), k.input(v, 0), k.result(v), n_elements(k.first_shape()));
}

void run_unpack(const LoopKernel& k, float* const* v) {
  unpack(format_of(k.attributes()), k.input(v, 0), k.result(v), n_elements(k.result_shape()));
}

}  // namespace

std::span<const KernelEntry> rounding_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kRound, make_loop<run_round>},
      {&kPack, make_loop<run_pack>},
      {&kUnpack, make_loop<run_unpack>},
  };
  return kTable;
}

}  // namespace lipizz::nn
