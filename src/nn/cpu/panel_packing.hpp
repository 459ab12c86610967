#pragma once

#include <cstddef>

#include "nn/base/engine.hpp"

/// Factors of products as AVX-512 multiplies them: in steps, each of one inner term in single
/// precision or of a pair of neighbouring ones in bf16. The functions are for processors and builds
/// that have steps of that precision.
namespace lipizz::nn {

/// True where this build, GCC's for x86, and that level have them: from NumericsLevel::kAvx512 on
/// and, in bf16, at kAvx512Bf16.
bool has_steps(NumericsLevel level, Precision precision);

/// Steps in a vector: numbers in single precision, or pairs in bf16.
inline constexpr std::size_t kVectorLanes = 16;

/// A step of one term.
struct Single {
  static constexpr std::size_t kTerms = 1;
};
/// A step of two, rounded as round_to_bf16() does; numbers that are in bf16 already stay as they
/// are.
struct Pair {
  static constexpr std::size_t kTerms = 2;
};

template <class Step>
constexpr std::size_t n_steps(std::size_t n_terms) {
  return (n_terms + Step::kTerms - 1) / Step::kTerms;
}
/// Columns of so many that fill whole vectors.
constexpr std::size_t in_whole_vectors(std::size_t n) {
  return (n + kVectorLanes - 1) / kVectorLanes * kVectorLanes;
}

/// A part of a matrix, of floats or of numbers in bf16, the terms of its sums by rows or by
/// columns.
template <class Number>
struct Terms {
  const Number* first;
  std::size_t stride;   // from one row to the next
  std::size_t n_terms;  // of each sum; a last one alone is paired with zero
  std::size_t n;        // the other size
};

/// packed[i, j] = the step of x[k i, j] to x[k i + k - 1, j], of k terms, in the room of a float.
/// Terms by rows: [n_terms, n] -> [n_steps(n_terms), in_whole_vectors(n)], the columns beyond n
/// zero. Pairs may be stored past the caches, for whoever reads them much later: then `packed` is
/// the beginning of a cache line, and finish_stores() has to follow.
template <class Step, class Number>
void pack_rows(const Terms<Number>& x, float* packed, bool past_caches = false);

/// packed[i, j] = the step of x[j, k i] to x[j, k i + k - 1]. Terms by columns: [n, n_terms] -> the
/// same, the rows of the result `stride` apart, whole vectors.
template <class Step, class Number>
void pack_columns(const Terms<Number>& x, float* packed, std::size_t stride,
                  bool past_caches = false);

/// Orders stores past the caches before all that this thread stores afterwards.
void finish_stores();

/// packed[j, i] = the pair of x[j, 2 i] and x[j, 2 i + 1]. Terms by columns: [n, n_terms] ->
/// [n, n_steps<Pair>(n_terms)]
template <class Number>
void round_pairs(const Terms<Number>& x, float* packed);

/// to[i, j] = x[j, i]. x: [n, n_terms], as terms by columns; to: [n_terms, n], its rows `stride`
/// apart.
void transpose(const Terms<float>& x, float* to, std::size_t stride);

}  // namespace lipizz::nn
