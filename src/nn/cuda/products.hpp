#pragma once

#include "nn/cuda/elementwise.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void linear(Work& work) {
  work.product(dense_product(work.shape()[0], work.shape()[1], work.shape(0)[1]));
  finish_product(work);
}

template <class Work>
void matmul(Work& work) {
  const Attributes& how = work.attributes();
  const std::uint32_t inner = work.shape(0)[how.transpose_a ? 0 : 1];
  work.product(
      dense_product(work.shape()[0], work.shape()[1], inner, how.transpose_a, how.transpose_b));
}

template <class Work>
void batch_matmul(Work& work) {
  const Attributes& how = work.attributes();
  const std::uint32_t inner = work.shape(0)[how.transpose_a ? 1 : 2];
  work.product(dense_product(work.shape()[1], work.shape()[2], inner, how.transpose_a,
                             how.transpose_b, work.shape()[0]));
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto products_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kLinear, linear},
      {&kMatmul, matmul},
      {&kBatchMatmul, batch_matmul},
  });
}

}  // namespace lipizz::nn::cuda
