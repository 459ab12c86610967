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
  return is_aligned(p.a) && is_aligned(p.b) && is_aligned(p.y) ? compute_type_of(context_.precision)
                                                               : CUBLAS_COMPUTE_32F_PEDANTIC;
}

bool CudaWork::is_aligned(const Matrix& m) const {
  constexpr std::uint32_t kAtOnce = 4;
  if (m.row % kAtOnce != 0 || m.first % kAtOnce != 0 || m.next % kAtOnce != 0) return false;
  if (m.operand == Matrix::kWorkspace) return true;
  return begins_at_multiple_of(kAtOnce,
                               m.operand == Matrix::kResult ? value() : node().inputs[m.operand]);
}

// cuBLAS counts by columns: what it takes for the product of b and a, transposed, is ours of a and
// b.
void CudaWork::product(const MatrixProduct& p) {
  constexpr std::uint32_t kLists = 3;
  const auto is_listed = [&](const Matrix& m) {
    return p.n > 1 || m.first > 0 || m.operand == Matrix::kWorkspace;
  };
  const bool needs_lists = is_listed(p.a) || is_listed(p.b) || is_listed(p.y);
  if (needs_lists) needs_.n_pointers = std::size_t{kLists} * p.n;
  if (is_measured_) return;
  const Places places = places_here();
  const std::uint32_t n = context_.n_models * p.n;
  const float* const* lists[kLists];
  if (needs_lists) {
    list_matrices_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, context_.stream>>>(
        places, context_, p);
    check(cudaGetLastError(), "listing matrices");
    for (std::uint32_t i = 0; i < kLists; ++i) lists[i] = context_.pointers + std::size_t{i} * n;
  } else {
    const auto list_of = [&](const Matrix& m) {
      return context_.values +
             (m.operand == Matrix::kResult ? places.result : places.inputs[m.operand]);
    };
    lists[0] = list_of(p.a), lists[1] = list_of(p.b), lists[2] = list_of(p.y);
  }
  const float one = 1;
  const float beta = p.adds ? 1 : 0;
  const auto as_void = [](const float* const* list) {
    return reinterpret_cast<const void* const*>(list);
  };
  check(
      cublas_library().gemm_batched_ex(
          context_.cublas, seen(p.transpose_b), seen(p.transpose_a), static_cast<int>(p.columns),
          static_cast<int>(p.rows), static_cast<int>(p.inner), &one, as_void(lists[1]), CUDA_R_32F,
          static_cast<int>(p.b.row), as_void(lists[0]), CUDA_R_32F, static_cast<int>(p.a.row),
          &beta, reinterpret_cast<void* const*>(const_cast<float* const*>(lists[2])), CUDA_R_32F,
          static_cast<int>(p.y.row), static_cast<int>(n), compute_type(p), CUBLAS_GEMM_DEFAULT),
      "a product");
}

bool CudaWork::convolve(ConvolutionProduct which) {
  const ConvolutionShape shape = convolution_shape(graph(), value());
  if (context_.precision == Precision::kF32 || shape.window.groups > 1) return false;
  const LibraryConvolution* library = context_.convolutions->find(shape, which, context_.precision);
  if (library == nullptr) return false;
  needs_.library_workspace_bytes = library->workspace_bytes();
  const auto stage = [&]<class T>(T) {
    const StagedConvolution<T> staged(*this, shape, which);
    if (!is_measured_) staged.run(*library);
  };
  if (library_type(context_.precision) == CUDNN_DATA_FLOAT) {
    stage(float{});
  } else {
    stage(__nv_bfloat16{});
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
  if (work.node().operation->updates_inputs) context.staged->expire();
}

}  // namespace lipizz::nn::cuda
