#pragma once

#include "core/math.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void softmax(Work& work) {
  const std::size_t n = work.shape().back();
  work.each(work.size() / n, [n] LIPIZZ_DEVICE(const Operands& o, std::size_t row) {
    const float* x = o.in(0) + row * n;
    float* y = o.out() + row * n;
    float highest = x[0];
    for (std::size_t i = 1; i < n; ++i) highest = x[i] > highest ? x[i] : highest;
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = math::exp(x[i] - highest);
      sum += y[i];
    }
    for (std::size_t i = 0; i < n; ++i) y[i] /= sum;
  });
}

template <class Work>
void softmax_gradient(Work& work) {
  const std::size_t n = work.shape().back();
  work.each(work.size() / n, [n] LIPIZZ_DEVICE(const Operands& o, std::size_t row) {
    const float* dy = o.in(0) + row * n;
    const float* y = o.in(1) + row * n;
    float* dx = o.out() + row * n;
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += dy[i] * y[i];
    for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - sum);
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto attention_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kSoftmax, softmax},
      {&kSoftmaxGradient, softmax_gradient},
  });
}

}  // namespace lipizz::nn::cuda
