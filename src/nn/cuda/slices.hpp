#pragma once

#include <algorithm>
#include <cstdint>

#include "nn/cuda/matrix_product.hpp"

namespace lipizz::nn::cuda {

/// Floats that tensor cores read at once.
constexpr std::uint32_t kAlignment = 4;
constexpr std::uint32_t kMostSlices = 256;

/// A product whose matrices are cut into slices of equal length along `inner`.
struct SlicedProduct : MatrixProduct {
  std::uint32_t n_slices = 1;
};

/// In how many slices a product is computed at once (split-K): one, but where it has too few tiles
/// to keep a large device busy and a long sum. It follows from the shape alone, since no bit may
/// depend on the number of models.
constexpr std::uint32_t n_slices_of(const MatrixProduct& p) {
  constexpr std::uint32_t kTileRows = 128;  // of cuBLAS's kernels, about
  constexpr std::uint32_t kTileColumns = 64;
  constexpr std::uint32_t kShortest = 512;
  const auto ceil = [](std::uint32_t n, std::uint32_t of) { return (n + of - 1) / of; };
  const std::uint32_t n_tiles = ceil(p.rows, kTileRows) * ceil(p.columns, kTileColumns) * p.n;
  std::uint32_t n = std::min(kMostSlices / std::min(n_tiles, kMostSlices), p.inner / kShortest);
  while (n > 1 && (p.inner % n != 0 || p.inner / n % kAlignment != 0)) --n;
  return std::max(n, 1U);
}

/// The same product in so many slices, each with a result of its own among the partials.
constexpr SlicedProduct in_slices(const MatrixProduct& whole, std::uint32_t n_slices) {
  SlicedProduct p{whole, n_slices};
  const std::size_t n_of_result = std::size_t{p.rows} * p.columns;
  p.inner /= n_slices;
  p.a.next_slice = std::size_t{p.inner} * (p.transpose_a ? p.a.row : 1);
  p.b.next_slice = std::size_t{p.inner} * (p.transpose_b ? 1 : p.b.row);
  p.y = {Matrix::kPartials, p.columns, 0, n_of_result, n_of_result * p.n};
  p.adds = false;
  return p;
}

}  // namespace lipizz::nn::cuda
