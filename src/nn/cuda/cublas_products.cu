#include <array>

#include "nn/cuda/cublas.hpp"
#include "nn/cuda/launch.cuh"
#include "nn/cuda/slices.hpp"

namespace lipizz::nn::cuda {
namespace {

constexpr std::size_t kLists = 3;  // of a product's matrices

// Where the matrices of a product begin: [3, model, slice, n].
__global__ void list_matrices_kernel(Places all, LaunchContext context, SlicedProduct p) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t n = p.n_slices * p.n;  // of a model
  const std::uint32_t n_all = context.n_models * n;
  if (i >= n_all) return;
  const Operands o = of_model(all, context, i / n);
  const std::uint32_t slice = i % n / p.n;
  const std::uint32_t which = i % p.n;
  context.pointers[i] = p.a.begin(o, which, slice);
  context.pointers[n_all + i] = p.b.begin(o, which, slice);
  context.pointers[2 * n_all + i] = p.y.begin(o, which, slice);
}

// True when the table of all values does not say where the matrices begin.
bool has_to_be_listed(const SlicedProduct& p) {
  const auto lies_elsewhere = [](const Matrix& m) {
    return m.first > 0 || m.operand == Matrix::kWorkspace;
  };
  return p.n * p.n_slices > 1 || lies_elsewhere(p.a) || lies_elsewhere(p.b) || lies_elsewhere(p.y);
}

cublasOperation_t seen(bool is_transposed) {
  return is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

const void* const* as_void(const float* const* list) {
  return reinterpret_cast<const void* const*>(list);
}

}  // namespace

// Tensor cores read 16 bytes at once, and cuBLAS cannot see in a list of pointers where matrices
// begin: those that begin elsewhere, as tensors of a genome lie without gaps, are multiplied
// strictly.
cublasComputeType_t CudaWork::compute_type(const MatrixProduct& p) const {
  return is_aligned(p.a) && is_aligned(p.b) && is_aligned(p.y) ? context_.products
                                                               : CUBLAS_COMPUTE_32F_PEDANTIC;
}

bool CudaWork::is_aligned(const Matrix& m) const {
  if (m.row % kAlignment != 0 || m.first % kAlignment != 0 || m.next % kAlignment != 0) {
    return false;
  }
  if (m.operand == Matrix::kWorkspace || m.operand == Matrix::kPartials) return true;
  const ValueId of = m.operand == Matrix::kResult ? value() : node().inputs[m.operand];
  const bool is_bound = context_.own[std::size_t{of.index} * context_.n_models] == nullptr;
  return !(context_.binds_parts && is_bound) && begins_at_multiple_of(kAlignment, of);
}

void CudaWork::product(const MatrixProduct& p) {
  const std::uint32_t n_slices = n_slices_of(p);
  if (n_slices == 1) return multiply({p, 1});
  use_partials(std::size_t{n_slices} * p.n * p.rows * p.columns);
  multiply(in_slices(p, n_slices));
  add_slices(p, n_slices);
}

// Few slices have many elements, a thread for each; many have few, a block for 32 of them.
void CudaWork::add_slices(const MatrixProduct& p, std::uint32_t n_slices) {
  constexpr std::uint32_t kFew = 32;
  static_assert(kMostSlices <= Chunks::kRows);  // their sums need no partials, which slices are in
  const std::size_t n_of_result = std::size_t{p.rows} * p.columns;
  const std::size_t n_of_slice = n_of_result * p.n;
  const auto finish = [p, n_of_result] __device__(const Operands& o, std::size_t i, double sum) {
    const std::size_t place = i % n_of_result;
    float& y = p.y.begin(o, i / n_of_result)[place / p.columns * p.y.row + place % p.columns];
    y = static_cast<float>(p.adds ? static_cast<double>(y) + sum : sum);
  };
  if (n_slices <= kFew) {
    return each(n_of_slice, [=] __device__(const Operands& o, std::size_t i) {
      double sum = 0;
      for (std::uint32_t slice = 0; slice < n_slices; ++slice) {
        sum += static_cast<double>(o.partials[slice * n_of_slice + i]);
      }
      finish(o, i, sum);
    });
  }
  column_sums(
      1, n_slices, n_of_slice,
      [n_of_slice] __device__(const Operands& o, std::size_t, std::size_t slice, std::size_t i) {
        return static_cast<double>(o.partials[slice * n_of_slice + i]);
      },
      [finish] __device__(const Operands& o, std::size_t, std::size_t i, double sum) {
        finish(o, i, sum);
      });
}

// cuBLAS counts by columns: what it takes for the product of b and a, transposed, is ours of a and
// b.
void CudaWork::multiply(const SlicedProduct& p) {
  const std::size_t n_of_model = std::size_t{p.n} * p.n_slices;
  if (has_to_be_listed(p)) needs_.n_pointers = std::max(needs_.n_pointers, kLists * n_of_model);
  if (is_measured_) return;
  const auto [a, b, y] = lists_of(p);
  const float one = 1;
  const float beta = p.adds ? 1 : 0;
  const auto number = [](std::size_t n) { return static_cast<int>(n); };
  check(cublas_library().gemm_batched_ex(
            context_.cublas, seen(p.transpose_b), seen(p.transpose_a), number(p.columns),
            number(p.rows), number(p.inner), &one, as_void(b), CUDA_R_32F, number(p.b.row),
            as_void(a), CUDA_R_32F, number(p.a.row), &beta, reinterpret_cast<void* const*>(y),
            CUDA_R_32F, number(p.y.row), number(context_.n_models * n_of_model), compute_type(p),
            CUBLAS_GEMM_DEFAULT),
        "a product");
}

// The lists of a, b and y on the device.
std::array<float* const*, 3> CudaWork::lists_of(const SlicedProduct& p) const {
  const Places places = places_here();
  if (!has_to_be_listed(p)) {
    const auto list = [&](const Matrix& m) {
      return context_.values +
             (m.operand == Matrix::kResult ? places.result : places.inputs[m.operand]);
    };
    return {list(p.a), list(p.b), list(p.y)};
  }
  const std::uint32_t n = context_.n_models * p.n * p.n_slices;
  list_matrices_kernel<<<(n + kThreads - 1) / kThreads, kThreads, 0, context_.stream>>>(
      places, context_, p);
  check(cudaGetLastError(), "listing matrices");
  return {context_.pointers, context_.pointers + n, context_.pointers + 2 * std::size_t{n}};
}

}  // namespace lipizz::nn::cuda
