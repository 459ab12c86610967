#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "nn/cuda/api.hpp"
#include "nn/exec/staged_operation.hpp"

namespace lipizz::nn::cuda {

/// The host's side of the operations that a plan leaves to it: pinned memory that takes the values
/// of one of them at a time, of all models.
class Exchange {
 public:
  Exchange(cudaStream_t stream, std::uint32_t n_models) : stream_(stream), n_models_(n_models) {}

  /// Makes room for it, before the first fetch().
  void make_room(const StagedOperation& operation);

  /// Has the device copy what the operation reads, when it comes to that. `values`: where values
  /// lie, [node, model]. The operation before is finished.
  void fetch(const StagedOperation& operation, float* const* values);
  /// Waits for these copies, computes it, and has what comes of it copied to the device.
  void finish(StagedOperation& operation, float* const* values);

 private:
  [[nodiscard]] float* host(std::uint32_t model) const { return memory_->as<float>() + model * n_; }
  template <class Visit>
  void for_models(std::span<const StagedOperation::Copy> copies, float* const* values,
                  const Visit& visit) const;

  cudaStream_t stream_;
  std::uint32_t n_models_;
  std::size_t n_ = 0;  // elements of a model
  std::unique_ptr<PinnedBytes> memory_;
  Event is_fetched_;
};

}  // namespace lipizz::nn::cuda
