#pragma once

#include "nn/base/activation_functions.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void activation(Work& work) {
  work.each(work.size(),
            [kind = work.attributes().activation] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = activate(kind, o.in(0)[i]);
            });
}

template <class Work>
void activation_gradient(Work& work) {
  work.each(work.size(),
            [kind = work.attributes().activation] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = o.in(0)[i] * activation_slope(kind, o.in(1)[i]);
            });
}

template <class Work>
void activation_second_derivative(Work& work) {
  work.each(work.size(),
            [kind = work.attributes().activation] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.out()[i] = o.in(0)[i] * o.in(1)[i] * activation_slope_of_slope(kind, o.in(2)[i]);
            });
}

template <class Work>
void add(Work& work) {
  work.each(work.size(), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] + o.in(1)[i];
  });
}

template <class Work>
void scale_by(Work& work) {
  work.each(work.size(), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] * o.in(1)[0];
  });
}

/// Finishes a product's result in place: the bias, the third input if there is one, is added to
/// each row, and the sum is activated.
template <class Work>
void finish_product(Work& work) {
  const Activation kind = work.attributes().activation;
  if (work.has_input(2)) {
    const Divisor n(work.shape().back());
    work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
      o.out()[i] = activate(kind, o.out()[i] + o.in(2)[n.remainder(i)]);
    });
  } else if (kind != Activation::kNone) {
    work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
      o.out()[i] = activate(kind, o.out()[i]);
    });
  }
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto elementwise_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kActivation, activation},
      {&kActivationGradient, activation_gradient},
      {&kActivationSecondDerivative, activation_second_derivative},
      {&kAdd, add},
      {&kScaleBy, scale_by},
  });
}

}  // namespace lipizz::nn::cuda
