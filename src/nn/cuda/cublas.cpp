#include "nn/cuda/cublas.hpp"

#include <string>

#include "core/error.hpp"
#include "nn/cuda/vendor_library.hpp"

namespace lipizz::nn::cuda {
namespace {

const std::string kVersion = std::to_string(CUBLAS_VER_MAJOR);

}  // namespace

CublasLibrary::CublasLibrary()
    : library_(
          open_vendor_library("cuBLAS " + kVersion, "libcublas.so." + kVersion, "nvidia-cublas")) {
  library_.find("cublasCreate_v2", create);
  library_.find("cublasDestroy_v2", destroy);
  library_.find("cublasSetStream_v2", set_stream);
  library_.find("cublasSetWorkspace_v2", set_workspace);
  library_.find("cublasGemmBatchedEx", gemm_batched_ex);
  library_.find("cublasGetStatusString", get_status_string);
}

const CublasLibrary& cublas_library() {
  static const CublasLibrary loaded;
  return loaded;
}

CublasHandle make_cublas(cudaStream_t stream) {
  cublasHandle_t made = nullptr;
  check(cublas_library().create(&made), "starting it");
  CublasHandle handle(made);
  check(cublas_library().set_stream(made, stream), "choosing its stream");
  return handle;
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw InternalError("cuBLAS: " + std::string(what) + ": " +
                      cublas_library().get_status_string(status));
}

}  // namespace lipizz::nn::cuda
