#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>

/// CUDA's handles as values, and its errors as ours.
namespace lipizz::nn::cuda {

/// Throws what a failure means here: ConfigError where memory runs out, else InternalError. `what`
/// was being done.
void check(cudaError_t error, const char* what);

/// Deletes with a function of CUDA's.
template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* handle) const {
    destroy(handle);
  }
};
template <class Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using CapturedGraph = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

Stream make_stream();
Event make_event();

/// Memory of the device, zero when made, in bytes; freed at the end.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  explicit DeviceBytes(std::size_t n);
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_.get());
  }

 private:
  Owned<void*, cudaFree> memory_;
};

/// Memory of the host that copies to the device read while the host goes on.
class PinnedBytes {
 public:
  explicit PinnedBytes(std::size_t n);
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_.get());
  }

 private:
  Owned<void*, cudaFreeHost> memory_;
};

}  // namespace lipizz::nn::cuda
