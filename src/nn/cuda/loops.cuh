#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "nn/cuda/launch.hpp"
#include "nn/cuda/work.hpp"

/// The kernels behind a Work's loops: the models of a plan are the last dimension of each grid.
namespace lipizz::nn::cuda {

/// The operands of one model.
__device__ inline Operands of_model(const Places& places, const LaunchContext& context,
                                    std::uint32_t model) {
  Operands o = places.in(context.values + model);
  o.workspace = context.workspace.of(model);
  o.copies = context.copies.of(model);
  o.partials = context.partials.of(model);
  return o;
}

constexpr unsigned kThreads = 256;

template <class F>
__global__ void __launch_bounds__(kThreads)
    each_kernel(Places all, LaunchContext context, std::size_t n, F f) {
  const Operands o = of_model(all, context, blockIdx.y);
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step) f(o, i);
}

/// The sum over a block's threads, in a fixed order; thread 0 has it.
template <class Sum>
__device__ Sum sum_of_block(Sum part) {
  __shared__ Sum parts[kThreads];
  parts[threadIdx.x] = part;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  const Sum sum = parts[0];
  __syncthreads();
  return sum;
}

/// The sum of the thread that is so many lanes further in the warp.
__device__ inline double further(double sum, unsigned lanes) {
  return __shfl_down_sync(0xffffffffU, sum, lanes);
}
__device__ inline TwoSums further(const TwoSums& sums, unsigned lanes) {
  return {further(sums.first, lanes), further(sums.second, lanes)};
}

template <class Sum, class Term, class Finish>
__global__ void __launch_bounds__(kThreads)
    sums_kernel(Places all, LaunchContext context, std::size_t n, std::size_t n_terms, Term term,
                Finish finish) {
  const Operands o = of_model(all, context, blockIdx.y);
  for (std::size_t j = blockIdx.x; j < n; j += gridDim.x) {
    Sum part{};
    for (std::size_t i = threadIdx.x; i < n_terms; i += kThreads) part += term(o, j, i);
    const Sum sum = sum_of_block(part);
    if (threadIdx.x == 0) finish(o, j, sum);
  }
}

/// The same for short sums: a warp for each.
template <class Sum, class Term, class Finish>
__global__ void __launch_bounds__(kThreads)
    short_sums_kernel(Places all, LaunchContext context, std::size_t n, std::size_t n_terms,
                      Term term, Finish finish) {
  constexpr unsigned kWarp = 32;
  const Operands o = of_model(all, context, blockIdx.y);
  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t step = std::size_t{gridDim.x} * (kThreads / kWarp);
  for (std::size_t j = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp; j < n;
       j += step) {
    Sum sum{};
    for (std::size_t i = lane; i < n_terms; i += kWarp) sum += term(o, j, i);
    for (unsigned half = kWarp / 2; half > 0; half /= 2) sum += further(sum, half);
    if (lane == 0) finish(o, j, sum);
  }
}

constexpr unsigned kTile = 32;

/// `to` [n_columns, n_rows] becomes the transpose of `from` [n_rows, n_columns]. A tile passes
/// through shared memory, so that rows are read and written in order.
template <class From, class To>
__global__ void __launch_bounds__(kThreads)
    transpose_kernel(Places all, LaunchContext context, std::size_t n_rows, std::size_t n_columns,
                     From from, To to) {
  __shared__ float tile[kTile][kTile + 1];
  const Operands o = of_model(all, context, blockIdx.z);
  const std::size_t first_row = std::size_t{blockIdx.x} * kTile;
  const std::size_t first_column = std::size_t{blockIdx.y} * kTile;
  for (std::size_t i = threadIdx.y; i < kTile; i += kThreads / kTile) {
    const std::size_t row = first_row + i;
    const std::size_t column = first_column + threadIdx.x;
    if (row < n_rows && column < n_columns) {
      tile[i][threadIdx.x] = static_cast<float>(from(o)[row * n_columns + column]);
    }
  }
  __syncthreads();
  auto* result = to(o);
  for (std::size_t i = threadIdx.y; i < kTile; i += kThreads / kTile) {
    const std::size_t row = first_row + threadIdx.x;
    const std::size_t column = first_column + i;
    if (row < n_rows && column < n_columns) {
      result[column * n_rows + row] = tile[threadIdx.x][i];
    }
  }
}

/// A part's rows in chunks of 512, a block for each; the sums of chunks are added up in a second
/// launch. They follow from the shape alone, since no bit may depend on the number of models.
struct Chunks {
  std::size_t n_rows;  // of a part
  std::size_t n;       // of a part
  static constexpr std::size_t kRows = 512;

  explicit Chunks(std::size_t rows) : n_rows(rows), n((rows + kRows - 1) / kRows) {}
  [[nodiscard]] __device__ std::size_t first(std::size_t chunk) const { return chunk * kRows; }
  [[nodiscard]] __device__ std::size_t end(std::size_t chunk) const {
    return chunk + 1 < n ? (chunk + 1) * kRows : n_rows;
  }
};

/// A block for 32 columns of a chunk: 32 rows at once, each column's lanes added up in order.
/// `take(o, part, chunk, column, sum)` gets what comes of it.
template <class Sum, class Term, class Take>
__global__ void __launch_bounds__(kTile* kTile)
    column_sums_kernel(Places all, LaunchContext context, Chunks chunks, std::size_t n_columns,
                       Term term, Take take) {
  __shared__ Sum parts[kTile][kTile + 1];
  const Operands o = of_model(all, context, blockIdx.z);
  const std::size_t part = blockIdx.x / chunks.n;
  const std::size_t chunk = blockIdx.x % chunks.n;
  const std::size_t end = chunks.end(chunk);
  const std::size_t column = std::size_t{blockIdx.y} * kTile + threadIdx.x;
  Sum sum{};
  for (std::size_t row = chunks.first(chunk) + threadIdx.y; column < n_columns && row < end;
       row += kTile) {
    sum += term(o, part, row, column);
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || column >= n_columns) return;
  for (unsigned lane = 1; lane < kTile; ++lane) sum += parts[lane][threadIdx.x];
  take(o, part, chunk, column, sum);
}

}  // namespace lipizz::nn::cuda
