#include "nn/cuda/exchange.hpp"

#include <algorithm>

namespace lipizz::nn::cuda {

void Exchange::make_room(const StagedCollective& operation) {
  if (memory_ && operation.n_elements() <= n_) return;
  if (!is_fetched_) is_fetched_ = make_event();
  n_ = std::max(n_, operation.n_elements());
  memory_ = std::make_unique<PinnedBytes>(n_models_ * n_ * sizeof(float));
}

template <class Visit>
void Exchange::for_models(std::span<const StagedCollective::Copy> copies, float* const* values,
                          const Visit& visit) const {
  for (const auto& [value, place, n] : copies) {
    for (std::uint32_t model = 0; model < n_models_; ++model) {
      if (n == 0) continue;
      visit(values[std::size_t{value.index} * n_models_ + model], host(model) + place,
            n * sizeof(float));
    }
  }
}

void Exchange::fetch(const StagedCollective& operation, float* const* values) {
  for_models(operation.inputs(), values, [this](const float* from, float* to, std::size_t n_bytes) {
    check(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDeviceToHost, stream_),
          "copying what ranks exchange");
  });
  check(cudaEventRecord(is_fetched_.get(), stream_), "marking a copy");
}

// The event is behind everything that was copied to the device from this memory, too.
void Exchange::finish(const StagedCollective& operation, float* const* values) {
  check(cudaEventSynchronize(is_fetched_.get()), "waiting for what ranks exchange");
  for (std::uint32_t model = 0; model < n_models_; ++model) operation.run(host(model));
  for_models(operation.outputs(), values,
             [this](float* to, const float* from, std::size_t n_bytes) {
               check(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyHostToDevice, stream_),
                     "copying what ranks have exchanged");
             });
}

}  // namespace lipizz::nn::cuda
