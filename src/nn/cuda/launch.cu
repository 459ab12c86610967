#include "nn/cuda/launch.cuh"

#include "nn/cuda/cublas.hpp"
#include "nn/cuda/kernels.hpp"
#include "nn/cuda/staged_convolution.cuh"

namespace lipizz::nn::cuda {
namespace {

cublasOperation_t seen(bool is_transposed) {
  return is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

cublasComputeType_t compute_type_of(Precision precision) {
  switch (precision) {
    case Precision::kF32:
      return CUBLAS_COMPUTE_32F_PEDANTIC;
    case Precision::kTf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
    case Precision::kBf16:
      return CUBLAS_COMPUTE_32F_FAST_16BF;
  }
  return CUBLAS_COMPUTE_32F_PEDANTIC;
}

}  // namespace

// Tensor cores read 16 bytes at once, and cuBLAS cannot see in a list of pointers where matrices
// begin: those that begin elsewhere, as tensors of a genome lie without gaps, are multiplied
// strictly.
cublasComputeType_t CudaWork::compute_type(const MatrixProduct& p) const {
  constexpr std::uint32_t kAtOnce = 4;
  const std::uint32_t a_row = p.transpose_a ? p.rows : p.inner;
  const std::uint32_t b_row = p.transpose_b ? p.inner : p.columns;
  const bool have_whole_rows =
      a_row % kAtOnce == 0 && b_row % kAtOnce == 0 && p.columns % kAtOnce == 0;
  const bool are_aligned = begins_at_multiple_of(kAtOnce, value()) &&
                           begins_at_multiple_of(kAtOnce, node().inputs[0]) &&
                           begins_at_multiple_of(kAtOnce, node().inputs[1]);
  return have_whole_rows && are_aligned ? compute_type_of(context_.precision) : CUBLAS_COMPUTE_32F_PEDANTIC;
}

// cuBLAS counts by columns: what it takes for the product of b and a, transposed, is ours of a and
// b.
void CudaWork::product(const MatrixProduct& p) {
  constexpr std::uint32_t kLists = 3;
  if (p.n > 1) needs_.n_pointers = std::size_t{kLists} * p.n;
  if (is_measured_) return;
  const Places places = places_here();
  const std::uint32_t n = context_.n_models * p.n;
  const float* const* a = context_.values + places.inputs[0];
  const float* const* b = context_.values + places.inputs[1];
  float* const* y = context_.values + places.result;
  if (p.n > 1) {
    list_matrices_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, context_.stream>>>(
        places, context_, p);
    check(cudaGetLastError(), "listing matrices");
    a = context_.pointers;
    b = context_.pointers + n;
    y = context_.pointers + 2 * n;
  }
  const float one = 1;
  const float zero = 0;
  const auto as_void = [](const float* const* list) {
    return reinterpret_cast<const void* const*>(list);
  };
  check(cublas_library().gemm_batched_ex(
            context_.cublas, seen(p.transpose_b), seen(p.transpose_a), static_cast<int>(p.columns),
            static_cast<int>(p.rows), static_cast<int>(p.inner), &one, as_void(b), CUDA_R_32F,
            static_cast<int>(p.transpose_b ? p.inner : p.columns), as_void(a), CUDA_R_32F,
            static_cast<int>(p.transpose_a ? p.rows : p.inner), &zero,
            reinterpret_cast<void* const*>(y), CUDA_R_32F, static_cast<int>(p.columns),
            static_cast<int>(n), compute_type(p), CUBLAS_GEMM_DEFAULT),
        "a product");
}

bool CudaWork::convolve(ConvolutionProduct which) {
  const ConvolutionShape shape = convolution_shape(graph(), value());
  if (shape.window.groups > 1) return false;
  const LibraryConvolution* library =
      context_.convolutions->find(shape, which, context_.precision);
  if (library == nullptr) return false;
  needs_.library_workspace_bytes = library->workspace_bytes();
  if (library_type(context_.precision) == CUDNN_DATA_FLOAT) {
    StagedConvolution<float>(*this, shape, which).run(*library, is_measured_);
  } else {
    StagedConvolution<__nv_bfloat16>(*this, shape, which).run(*library, is_measured_);
  }
  return true;
}

LaunchNeeds measure(const Graph& graph, ValueId operation, const LaunchContext& context,
                    DatasetCache& datasets) {
  CudaWork work(graph, operation, context, datasets, true);
  compute(work);
  return work.needs();
}

void launch(const Graph& graph, ValueId operation, const LaunchContext& context,
            DatasetCache& datasets) {
  CudaWork work(graph, operation, context, datasets, false);
  compute(work);
}

}  // namespace lipizz::nn::cuda
