#pragma once

#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void embedding(Work& work) {
  const std::size_t n = work.shape()[1];
  work.each(work.size(), [n] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const auto which = static_cast<std::size_t>(o.in(0)[i / n]);
    o.out()[i] = o.in(1)[which * n + i % n];
  });
}

template <class Work>
void embedding_gradient(Work& work) {
  const std::size_t n = work.shape()[1];
  const std::size_t n_rows = work.shape(0)[0];
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const auto which = static_cast<float>(i / n);
    float sum = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (o.in(0)[row] == which) sum += o.in(1)[row * n + i % n];
    }
    o.out()[i] = sum;
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto embedding_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kEmbedding, embedding},
      {&kEmbeddingGradient, embedding_gradient},
  });
}

}  // namespace lipizz::nn::cuda
