#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "nn/cuda/api.hpp"
#include "nn/cuda/launch.hpp"
#include "nn/cuda/loops.cuh"
#include "nn/cuda/slices.hpp"
#include "nn/cuda/work.hpp"

/// A Work (nn/cuda/work.hpp) as launches over all models of a plan.
namespace lipizz::nn::cuda {

/// Work whose launches go into the context's stream, or are only measured.
class CudaWork : public Task {
 public:
  CudaWork(const Graph& graph, ValueId value, const LaunchContext& context, DatasetCache& datasets,
           bool is_measured)
      : Task(graph, value), context_(context), datasets_(datasets), is_measured_(is_measured) {}

  static constexpr std::size_t kMostWindows = 1 << 24;

  [[nodiscard]] const LaunchNeeds& needs() const { return needs_; }

  void use_workspace(std::size_t n) { needs_.n_workspace = n; }
  void use_partials(std::size_t n) { needs_.n_partials = std::max(needs_.n_partials, n); }
  const float* cached_samples(const SampleSource& source) { return datasets_.samples(source); }
  const float* cached_labels(const SampleSource& source) { return datasets_.labels(source); }

  template <class F>
  void each(std::size_t n, F f) {
    if (is_measured_ || n == 0) return;
    constexpr std::size_t kMostBlocks = 1 << 11;  // what a large device runs at once
    const auto n_blocks = std::min(kMostBlocks, (n + kThreads - 1) / kThreads);
    const dim3 grid(static_cast<unsigned>(n_blocks), context_.n_models);
    each_kernel<<<grid, kThreads, 0, context_.stream>>>(places_here(), context_, n, f);
    check(cudaGetLastError(), "launching a kernel");
  }

  template <class Sum = double, class Term, class Finish>
  void sums(std::size_t n, std::size_t n_terms, Term term, Finish finish) {
    if (is_measured_) return;
    constexpr std::size_t kMostBlocks = 1 << 14;
    constexpr std::size_t kShort = 256;
    constexpr std::size_t kWarps = kThreads / 32;
    const bool is_short = n_terms <= kShort && n > 1;
    const std::size_t n_blocks = is_short ? (n + kWarps - 1) / kWarps : n;
    const dim3 grid(static_cast<unsigned>(std::min(kMostBlocks, n_blocks)), context_.n_models);
    if (is_short) {
      short_sums_kernel<Sum><<<grid, kThreads, 0, context_.stream>>>(places_here(), context_, n,
                                                                     n_terms, term, finish);
    } else {
      sums_kernel<Sum><<<grid, kThreads, 0, context_.stream>>>(places_here(), context_, n, n_terms,
                                                               term, finish);
    }
    check(cudaGetLastError(), "launching a sum");
  }

  template <class Sum = double, class Term, class Finish>
  void column_sums(std::size_t n_parts, std::size_t n_rows, std::size_t n_columns, Term term,
                   Finish finish) {
    const Chunks chunks(n_rows);
    if (chunks.n <= 1) {
      return sum_chunks<Sum>(
          n_parts, chunks, n_columns, term,
          [finish] __device__(const Operands& o, std::size_t part, std::size_t, std::size_t column,
                              const Sum& sum) { finish(o, part, column, sum); });
    }
    const std::size_t n = n_parts * n_columns;
    use_partials(n * chunks.n * sizeof(Sum) / sizeof(float));
    sum_chunks<Sum>(
        n_parts, chunks, n_columns, term,
        [=] __device__(const Operands& o, std::size_t part, std::size_t chunk, std::size_t column,
                       const Sum& sum) {
          reinterpret_cast<Sum*>(o.partials)[(part * n_columns + column) * chunks.n + chunk] = sum;
        });
    sums<Sum>(
        n, chunks.n,
        [chunks] __device__(const Operands& o, std::size_t j, std::size_t chunk) {
          return reinterpret_cast<const Sum*>(o.partials)[j * chunks.n + chunk];
        },
        [=] __device__(const Operands& o, std::size_t j, const Sum& sum) {
          finish(o, j / n_columns, j % n_columns, sum);
        });
  }

  template <class Sum, class Term, class Take>
  void sum_chunks(std::size_t n_parts, const Chunks& chunks, std::size_t n_columns, Term term,
                  Take take) {
    if (is_measured_) return;
    const dim3 grid(static_cast<unsigned>(n_parts * chunks.n),  // the only one beyond 65,535
                    static_cast<unsigned>((n_columns + kTile - 1) / kTile), context_.n_models);
    column_sums_kernel<Sum><<<grid, dim3(kTile, kTile), 0, context_.stream>>>(
        places_here(), context_, chunks, n_columns, term, take);
    check(cudaGetLastError(), "launching a sum over rows");
  }

  /// Writes the transpose of `from(operands)` [n_rows, n_columns] to `to(operands)`.
  template <class From, class To>
  void transpose(std::size_t n_rows, std::size_t n_columns, From from, To to) {
    if (is_measured_) return;
    const dim3 grid(static_cast<unsigned>((n_rows + kTile - 1) / kTile),
                    static_cast<unsigned>((n_columns + kTile - 1) / kTile), context_.n_models);
    transpose_kernel<<<grid, dim3(kTile, kThreads / kTile), 0, context_.stream>>>(
        places_here(), context_, n_rows, n_columns, from, to);
    check(cudaGetLastError(), "launching a transposition");
  }

  void product(const MatrixProduct& p);
  void add_slices(const MatrixProduct& p, std::uint32_t n_slices);
  bool convolve(ConvolutionProduct which);

  [[nodiscard]] const LaunchContext& context() const { return context_; }

 private:
  void multiply(const SlicedProduct& p);
  [[nodiscard]] std::array<float* const*, 3> lists_of(const SlicedProduct& p) const;
  [[nodiscard]] cublasComputeType_t compute_type(const MatrixProduct& p) const;
  [[nodiscard]] bool is_aligned(const Matrix& m) const;
  [[nodiscard]] Places places_here() const { return places(context_.n_models); }

  const LaunchContext& context_;
  DatasetCache& datasets_;
  bool is_measured_;
  LaunchNeeds needs_;
};

}  // namespace lipizz::nn::cuda
