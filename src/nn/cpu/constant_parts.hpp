#pragma once

#include <cstddef>
#include <type_traits>

#include "core/simd.hpp"

/// Loops over parts whose sizes the compiler knows.
namespace lipizz::nn {

/// Calls with n, from 1 to `most`, as a constant.
template <std::size_t most, class Call>
LIPIZZ_INLINE void with_constant(std::size_t n, const Call& call) {
  if constexpr (most > 1) {
    if (n < most) return with_constant<most - 1>(n, call);
  }
  call(std::integral_constant<std::size_t, most>());
}

/// Calls with the beginnings and the sizes of as few parts of at most `most` as make n, whose sizes
/// differ by one at most.
template <std::size_t most, class Call>
LIPIZZ_INLINE void for_each_part(std::size_t n, const Call& call) {
  const std::size_t n_parts = (n + most - 1) / most;
  for (std::size_t part = 0, begin = 0; part < n_parts; ++part) {
    const std::size_t size = (n - begin) / (n_parts - part);
    with_constant<most>(size, [&](auto constant) LIPIZZ_INLINE_LAMBDA { call(begin, constant); });
    begin += size;
  }
}

}  // namespace lipizz::nn
