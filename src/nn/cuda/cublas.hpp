#pragma once

#include <cublas_v2.h>

#include <memory>

#include "nn/exec/shared_library.hpp"

namespace lipizz::nn::cuda {

/// The one of its two overloads that takes a compute type.
using GemmBatchedEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,
                                     int n, int k, const void* alpha, const void* const* a,
                                     cudaDataType a_type, int lda, const void* const* b,
                                     cudaDataType b_type, int ldb, const void* beta, void* const* c,
                                     cudaDataType c_type, int ldc, int n_matrices,
                                     cublasComputeType_t, cublasGemmAlgo_t);

/// The functions of cuBLAS that are used here, under its own names.
class CublasLibrary {
 public:
  /// ConfigError when the library is not on this machine.
  CublasLibrary();

  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
  decltype(static_cast<GemmBatchedEx*>(&cublasGemmBatchedEx)) gemm_batched_ex = nullptr;
  decltype(&cublasGetStatusString) get_status_string = nullptr;

 private:
  SharedLibrary library_;
};

/// Loaded when it is first asked for; ConfigError as above.
const CublasLibrary& cublas_library();

struct DestroyCublas {
  void operator()(cublasHandle_t handle) const { cublas_library().destroy(handle); }
};
using CublasHandle = std::unique_ptr<cublasContext, DestroyCublas>;

/// Works in this stream, which outlives it.
CublasHandle make_cublas(cudaStream_t stream);

/// InternalError saying what was being done.
void check(cublasStatus_t status, const char* what);

}  // namespace lipizz::nn::cuda
