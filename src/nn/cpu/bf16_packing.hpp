#pragma once

#include <cstddef>

#include "nn/cpu/bf16.hpp"

/// Factors of products in bf16 as AVX-512's instruction for them reads them: in pairs of
/// neighbouring inner terms, rounded as round_to_bf16() does; numbers that are in bf16 already are
/// packed as they are. The functions are for processors that have the instruction
/// (nn/cpu/numerics.hpp); there are none of other makes.
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

/// A part of a matrix, of floats or of numbers in bf16, the terms of its sums by rows or by
/// columns.
template <class Number>
struct Terms {
  const Number* first;
  std::size_t stride;   // from one row to the next
  std::size_t n_terms;  // of each sum; an odd one is paired with zero
  std::size_t n;        // the other size
};

/// packed[i, j] = the pair of x[2 i, j] and x[2 i + 1, j]. Terms by rows: [n_terms, n] ->
/// [n_pairs(n_terms), in_whole_vectors(n)], the columns beyond n zero.
template <class Number>
void pack_pairs_of_rows(const Terms<Number>& x, Bf16* packed);

/// packed[i, j] = the pair of x[j, 2 i] and x[j, 2 i + 1]. Terms by columns: [n, n_terms] -> the
/// same.
template <class Number>
void pack_pairs_of_columns(const Terms<Number>& x, Bf16* packed);

/// packed[j, i] = the pair of x[j, 2 i] and x[j, 2 i + 1]. Terms by columns: [n, n_terms] ->
/// [n, n_pairs(n_terms)]
template <class Number>
void round_pairs(const Terms<Number>& x, Bf16* packed);

}  // namespace lipizz::nn
