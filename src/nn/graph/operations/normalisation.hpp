#pragma once

#include <cstdint>

#include "core/simd.hpp"
#include "nn/graph/operation.hpp"

/// Batch normalisation, its statistics and its derivatives.
namespace lipizz::nn {

extern const Operation kStatistics;
extern const Operation kPoolStatistics;
extern const Operation kNormalise;
extern const Operation kNormaliseSums;
extern const Operation kNormaliseGradient;
extern const Operation kNormaliseSecondDerivative;

std::span<const Operation* const> normalisation_operations();

/// The share of a batch that a micro-batch has, as nn/train/micro_batch.hpp deals them out; the
/// first ones have one row more where that does not come out even.
LIPIZZ_INLINE constexpr double share_of_part(std::uint32_t n_rows, std::uint32_t n_parts,
                                             std::uint32_t part) {
  return static_cast<double>(n_rows / n_parts + (part < n_rows % n_parts ? 1U : 0U)) / n_rows;
}

}  // namespace lipizz::nn
