#include "nn/cuda/cudnn_library.hpp"

#include <string>

#include "core/error.hpp"
#include "nn/cuda/vendor_library.hpp"

namespace lipizz::nn::cuda {
namespace {

const std::string kVersion = std::to_string(CUDNN_MAJOR);

}  // namespace

CudnnLibrary::CudnnLibrary()
    : library_(open_vendor_library("cuDNN " + kVersion, "libcudnn.so." + kVersion,
                                   "nvidia-cudnn-cu" + std::to_string(CUDART_VERSION / 1000))) {
  library_.find("cudnnCreate", create);
  library_.find("cudnnDestroy", destroy);
  library_.find("cudnnSetStream", set_stream);
  library_.find("cudnnGetErrorString", get_error_string);
  library_.find("cudnnBackendCreateDescriptor", create_descriptor);
  library_.find("cudnnBackendDestroyDescriptor", destroy_descriptor);
  library_.find("cudnnBackendSetAttribute", set_attribute);
  library_.find("cudnnBackendGetAttribute", get_attribute);
  library_.find("cudnnBackendFinalize", finalize);
  library_.find("cudnnBackendExecute", execute);
}

const CudnnLibrary& cudnn_library() {
  static const CudnnLibrary loaded;
  return loaded;
}

void check(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw InternalError("cuDNN: " + std::string(what) + ": " +
                      cudnn_library().get_error_string(status));
}

CudnnHandle make_cudnn(cudaStream_t stream) {
  cudnnHandle_t made = nullptr;
  check(cudnn_library().create(&made), "starting it");
  CudnnHandle handle(made);
  check(cudnn_library().set_stream(made, stream), "choosing its stream");
  return handle;
}

}  // namespace lipizz::nn::cuda
