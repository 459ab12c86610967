#include "nn/cuda/api.hpp"

#include <string>

#include "core/error.hpp"

namespace lipizz::nn::cuda {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next launch would be told of it again
  const std::string text =
      "CUDA: " + std::string(what) + ": " + std::string(cudaGetErrorString(error));
  if (error == cudaErrorMemoryAllocation) {
    throw ConfigError(text +
                      "; use a smaller batch, fewer cells to a device, or a device with "
                      "more memory");
  }
  throw InternalError(text);
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
  return Event(event);
}

DeviceBytes::DeviceBytes(std::size_t n) {
  if (n == 0) return;
  void* memory = nullptr;
  check(cudaMalloc(&memory, n), "allocating memory");
  memory_.reset(memory);
  check(cudaMemset(memory, 0, n), "clearing memory");
  check(cudaStreamSynchronize(nullptr), "clearing memory");  // our streams do not wait for that one
}

PinnedBytes::PinnedBytes(std::size_t n) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, n > 0 ? n : 1), "allocating pinned memory");
  memory_.reset(memory);
}

}  // namespace lipizz::nn::cuda
