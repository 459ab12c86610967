#pragma once

#include <cstddef>
#include <cstdint>

namespace lipizz::nn {

/// A number in bf16: the first half of a float.
using Bf16 = std::uint16_t;

/// rounded[i] = x[i] to the nearest number in bf16, ties to the even one; denormal numbers become
/// zero, which products in bf16 take them for; infinities stay what they are and so do NaNs. Both
/// [n]. By AVX-512's instruction where there is one; the bits are the same.
void round_to_bf16(const float* x, Bf16* rounded, std::size_t n);

/// Floats that take the room of so many numbers in bf16, the next such block after them aligned.
std::size_t n_floats_of_bf16(std::size_t n);

}  // namespace lipizz::nn
