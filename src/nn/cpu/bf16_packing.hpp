#pragma once

#include <cstddef>

#include "nn/cpu/bf16.hpp"

/// Factors of products in bf16 as AVX-512's instruction for them reads them: in pairs of
/// neighbouring inner terms, rounded as round_to_bf16() does. The functions are for processors that
/// have the instruction (nn/cpu/numerics.hpp); there are none of other makes.
namespace lipizz::nn {

/// Numbers in a vector of single precision, and pairs in one of bf16.
inline constexpr std::size_t kPairLanes = 16;

constexpr std::size_t n_pairs(std::size_t n_terms) {
  return (n_terms + 1) / 2;
}
/// Columns of so many that fill whole vectors.
constexpr std::size_t in_whole_vectors(std::size_t n) {
  return (n + kPairLanes - 1) / kPairLanes * kPairLanes;
}

/// A part of a matrix of floats, the terms of its sums by rows or by columns.
struct Terms {
  const float* first;
  std::size_t stride;   // from one row to the next
  std::size_t n_terms;  // of each sum; an odd one is paired with zero
  std::size_t n;        // the other size
};

/// packed[i, j] = the pair of x[2 i, j] and x[2 i + 1, j]. Terms by rows: [n_terms, n] ->
/// [n_pairs(n_terms), in_whole_vectors(n)], the columns beyond n zero.
void pack_pairs_of_rows(const Terms& x, Bf16* packed);

/// packed[i, j] = the pair of x[j, 2 i] and x[j, 2 i + 1]. Terms by columns: [n, n_terms] -> the
/// same.
void pack_pairs_of_columns(const Terms& x, Bf16* packed);

/// packed[j, i] = the pair of x[j, 2 i] and x[j, 2 i + 1]. Terms by columns: [n, n_terms] ->
/// [n, n_pairs(n_terms)]
void round_pairs(const Terms& x, Bf16* packed);

}  // namespace lipizz::nn
