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

constexpr std::uint32_t kAtOnce = 4;  // floats that tensor cores read

// In how many slices a product is computed at once that has too few tiles for a large device. Bits
// must not depend on the number of models, nor does this.
std::uint32_t n_slices_of(const MatrixProduct& p) {
  constexpr std::uint32_t kTileRows = 128;  // of cuBLAS's kernels, about
  constexpr std::uint32_t kTileColumns = 64;
  constexpr std::uint32_t kTiles = 256;
  constexpr std::uint32_t kShortest = 512;
  static_assert(kTiles <= Chunks::kRows);  // so that one launch adds the slices up
  const auto ceil = [](std::uint32_t n, std::uint32_t of) { return (n + of - 1) / of; };
  const std::uint32_t n_tiles = ceil(p.rows, kTileRows) * ceil(p.columns, kTileColumns) * p.n;
  std::uint32_t n = std::min(kTiles / std::min(n_tiles, kTiles), p.inner / kShortest);
  while (n > 1 && (p.inner % n != 0 || p.inner / n % kAtOnce != 0)) --n;
  return std::max(n, 1U);
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
  if (m.row % kAtOnce != 0 || m.first % kAtOnce != 0 || m.next % kAtOnce != 0) return false;
  if (m.operand == Matrix::kWorkspace || m.operand == Matrix::kPartials) return true;
  return begins_at_multiple_of(kAtOnce,
                               m.operand == Matrix::kResult ? value() : node().inputs[m.operand]);
}

void CudaWork::product(const MatrixProduct& whole) {
  const std::uint32_t n_slices = n_slices_of(whole);
  SlicedProduct p{whole, n_slices};
  if (n_slices == 1) return multiply(p);
  const std::size_t of_one = std::size_t{p.rows} * p.columns;
  const std::size_t of_slice = of_one * p.n;
  p.inner /= n_slices;
  p.a.next_slice = std::size_t{p.inner} * (p.transpose_a ? p.a.row : 1);
  p.b.next_slice = std::size_t{p.inner} * (p.transpose_b ? 1 : p.b.row);
  p.y = {Matrix::kPartials, p.columns, 0, of_one, of_slice};
  p.adds = false;
  use_partials(of_slice * n_slices);
  multiply(p);
  const auto finish = [whole, of_one] __device__(const Operands& o, std::size_t i, double sum) {
    const std::size_t place = i % of_one;
    float& y =
        whole.y.begin(o, i / of_one)[place / whole.columns * whole.y.row + place % whole.columns];
    y = static_cast<float>(whole.adds ? static_cast<double>(y) + sum : sum);
  };
  constexpr std::uint32_t kFew = 32;
  if (n_slices <= kFew) {
    return each(of_slice, [=] __device__(const Operands& o, std::size_t i) {
      double sum = 0;
      for (std::uint32_t slice = 0; slice < n_slices; ++slice) {
        sum += static_cast<double>(o.partials[slice * of_slice + i]);
      }
      finish(o, i, sum);
    });
  }
  column_sums(
      1, n_slices, of_slice,
      [of_slice] __device__(const Operands& o, std::size_t, std::size_t slice, std::size_t i) {
        return static_cast<double>(o.partials[slice * of_slice + i]);
      },
      [finish] __device__(const Operands& o, std::size_t, std::size_t i, double sum) {
        finish(o, i, sum);
      });
}

// cuBLAS counts by columns: what it takes for the product of b and a, transposed, is ours of a and
// b.
void CudaWork::multiply(const SlicedProduct& p) {
  constexpr std::uint32_t kLists = 3;
  const auto is_listed = [&](const Matrix& m) {
    return m.first > 0 || m.operand == Matrix::kWorkspace;
  };
  const std::uint32_t n_of_model = p.n * p.n_slices;
  const bool needs_lists = n_of_model > 1 || is_listed(p.a) || is_listed(p.b) || is_listed(p.y);
  if (needs_lists) {
    needs_.n_pointers = std::max(needs_.n_pointers, std::size_t{kLists} * n_of_model);
  }
  if (is_measured_) return;
  const Places places = places_here();
  const std::uint32_t n = context_.n_models * n_of_model;
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
