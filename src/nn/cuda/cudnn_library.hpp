#pragma once

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <memory>

#include "nn/exec/shared_library.hpp"

namespace lipizz::nn::cuda {

/// The functions of cuDNN that are used here, under its own names.
class CudnnLibrary {
 public:
  /// ConfigError when the library is not on this machine.
  CudnnLibrary();

  decltype(&cudnnCreate) create = nullptr;
  decltype(&cudnnDestroy) destroy = nullptr;
  decltype(&cudnnSetStream) set_stream = nullptr;
  decltype(&cudnnGetErrorString) get_error_string = nullptr;
  decltype(&cudnnBackendCreateDescriptor) create_descriptor = nullptr;
  decltype(&cudnnBackendDestroyDescriptor) destroy_descriptor = nullptr;
  decltype(&cudnnBackendSetAttribute) set_attribute = nullptr;
  decltype(&cudnnBackendGetAttribute) get_attribute = nullptr;
  decltype(&cudnnBackendFinalize) finalize = nullptr;
  decltype(&cudnnBackendExecute) execute = nullptr;

 private:
  SharedLibrary library_;
};

/// Loaded when it is first asked for, which is when a convolution is planned in another precision
/// than f32; ConfigError as above.
const CudnnLibrary& cudnn_library();

/// InternalError saying what was being done.
void check(cudnnStatus_t status, const char* what);

struct DestroyCudnn {
  void operator()(cudnnHandle_t handle) const { cudnn_library().destroy(handle); }
};
using CudnnHandle = std::unique_ptr<cudnnContext, DestroyCudnn>;

/// Works in this stream, which outlives it.
CudnnHandle make_cudnn(cudaStream_t stream);

}  // namespace lipizz::nn::cuda
