#include "nn/cpu/bf16.hpp"

#include "core/simd.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/half.hpp"

namespace lipizz::nn {

LIPIZZ_MULTIVERSION
void round_to_bf16(const float* x, Bf16* rounded, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    rounded[i] = static_cast<Bf16>(half_bits<Half::kBf16>(x[i]));
  }
}

std::size_t n_floats_of_bf16(std::size_t n) {
  return padded<float>((n + 1) / 2);
}

}  // namespace lipizz::nn
