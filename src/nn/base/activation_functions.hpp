#pragma once

#include "core/math.hpp"
#include "nn/base/activation.hpp"

/// Activations of single numbers, for kernels that are written as plain loops.
namespace lipizz::nn {

template <class T>
constexpr T activate(Activation activation, T x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : T{0};
    case Activation::kLeakyRelu:
      return x > 0 ? x : static_cast<T>(kLeakySlope) * x;
    case Activation::kTanh:
      return math::tanh(x);
    case Activation::kSigmoid:
      return math::sigmoid(x);
  }
  return x;
}

/// The derivative, given the function's result.
template <class T>
constexpr T activation_slope(Activation activation, T y) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return y > 0 ? T{1} : T{0};
    case Activation::kLeakyRelu:
      return y > 0 ? T{1} : static_cast<T>(kLeakySlope);
    case Activation::kTanh:
      return 1 - y * y;
    case Activation::kSigmoid:
      return y * (1 - y);
  }
  return 1;
}

/// The derivative of that slope by the function's result.
template <class T>
constexpr T activation_slope_of_slope(Activation activation, T y) {
  if (activation == Activation::kTanh) return -2 * y;
  if (activation == Activation::kSigmoid) return 1 - 2 * y;
  return 0;
}

}  // namespace lipizz::nn
