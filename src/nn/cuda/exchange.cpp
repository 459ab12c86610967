#include "nn/cuda/exchange.hpp"

#include <algorithm>
#include <vector>

namespace lipizz::nn::cuda {

void Exchange::make_room(const StagedOperation& operation) {
  if (memory_ && operation.n_elements() <= n_) return;
  if (!is_fetched_) is_fetched_ = make_event();
  n_ = std::max(n_, operation.n_elements());
  memory_ = std::make_unique<PinnedBytes>(n_models_ * n_ * sizeof(float));
}

template <class Visit>
void Exchange::for_models(std::span<const StagedOperation::Copy> copies, float* const* values,
                          const Visit& visit) const {
  for (const auto& [value, place, n] : copies) {
    for (std::uint32_t model = 0; model < n_models_; ++model) {
      if (n == 0) continue;
      visit(values[std::size_t{value.index} * n_models_ + model], host(model) + place,
            n * sizeof(float));
    }
  }
}

void Exchange::fetch(const StagedOperation& operation, float* const* values) {
  for_models(operation.inputs(), values, [this](const float* from, float* to, std::size_t n_bytes) {
    check(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToHost, stream_),
          "copying what the host computes with");
  });
  check(cudaEventRecord(is_fetched_.get(), stream_), "marking a copy");
}

// The event is behind everything that was copied to the device from this memory, too.
void Exchange::finish(StagedOperation& operation, float* const* values) {
  check(cudaEventSynchronize(is_fetched_.get()), "waiting for what the host computes with");
  for (std::uint32_t model = 0; model < n_models_; ++model) {
    std::vector<float*> on_host;
    for (const ValueId value : operation.on_host()) {
      on_host.push_back(values[std::size_t{value.index} * n_models_ + model]);
    }
    operation.run(host(model), on_host);
  }
  for_models(operation.outputs(), values,
             [this](float* to, const float* from, std::size_t n_bytes) {
               check(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyHostToDevice, stream_),
                     "copying what the host has computed");
             });
}

}  // namespace lipizz::nn::cuda
