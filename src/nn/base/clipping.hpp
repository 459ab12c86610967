#pragma once

#include <cmath>

namespace lipizz::nn {

/// The factor that brings `unscaled` times a gradient of this squared length to `most` at most, or
/// to any length where that is 0 (Pascanu et al. 2013).
template <class T>
constexpr T clip_factor(T most, T squared_length, T unscaled) {
  const T factor = most / (std::sqrt(squared_length) * unscaled + T(1e-6));
  return most > 0 && factor < 1 ? factor * unscaled : unscaled;
}

}  // namespace lipizz::nn
