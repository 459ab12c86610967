#pragma once

#include <cmath>

namespace lipizz::nn {

/// The factor that brings a gradient of this squared length to `most` at most (Pascanu et al.
/// 2013). One whose length is no number stays as it is.
template <class T>
constexpr T clip_factor(T most, T squared_length) {
  const T factor = most / (std::sqrt(squared_length) + T(1e-6));
  return factor < 1 ? factor : T{1};
}

}  // namespace lipizz::nn
