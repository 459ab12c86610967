#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "nn/cuda/adversarial.hpp"
#include "nn/cuda/attention.hpp"
#include "nn/cuda/augmentation.hpp"
#include "nn/cuda/broadcasting.hpp"
#include "nn/cuda/convolution.hpp"
#include "nn/cuda/drawing.hpp"
#include "nn/cuda/elementwise.hpp"
#include "nn/cuda/embedding.hpp"
#include "nn/cuda/losses.hpp"
#include "nn/cuda/normalisation.hpp"
#include "nn/cuda/products.hpp"
#include "nn/cuda/randomised.hpp"
#include "nn/cuda/resampling.hpp"
#include "nn/cuda/rounding.hpp"
#include "nn/cuda/slicing.hpp"
#include "nn/cuda/spectral.hpp"
#include "nn/cuda/updates.hpp"

namespace lipizz::nn::cuda {

/// Every kernel that devices have: those of the families, one after the other.
template <class Work>
std::vector<KernelEntry<Work>> kernels() {
  std::vector<KernelEntry<Work>> all;
  const auto add = [&all](const auto&... families) {
    (all.insert(all.end(), families.begin(), families.end()), ...);
  };
  add(products_kernels<Work>(), convolution_kernels<Work>(), elementwise_kernels<Work>(),
      slicing_kernels<Work>(), resampling_kernels<Work>(), broadcasting_kernels<Work>(),
      normalisation_kernels<Work>(), attention_kernels<Work>(), embedding_kernels<Work>(),
      spectral_kernels<Work>(), adversarial_kernels<Work>(), losses_kernels<Work>(),
      randomised_kernels<Work>(), augmentation_kernels<Work>(), drawing_kernels<Work>(),
      updates_kernels<Work>(), rounding_kernels<Work>());
  return all;
}

/// Puts the operation that `work` is made for to it. InternalError when devices have it not.
template <class Work>
void compute(Work& work) {
  static const std::vector<KernelEntry<Work>> kAll = kernels<Work>();
  for (const KernelEntry<Work>& entry : kAll) {
    if (entry.operation == work.node().operation) return entry.compute(work);
  }
  throw InternalError("devices have no kernel for " + std::string(work.node().operation->name));
}

}  // namespace lipizz::nn::cuda
