#pragma once

#include <cstddef>

#include "nn/base/engine.hpp"
#include "nn/cpu/output_vectors.hpp"

namespace lipizz::nn {

/// Adds x^T y to c, in the order of the rows. x: [n, n_x]; y: [n, n_y], n_y a multiple of
/// `kDirectOutputs`; c: [n_x, n_y]. Made for many more rows than columns: each row is read from
/// afar once, and most of the next ones is fetched meanwhile.
using RankUpdate = void (*)(std::size_t n, const float* x, std::size_t n_x, const float* y,
                            std::size_t n_y, float* c);

/// That of a level; its bits depend on nothing else. The processor has to offer the level.
RankUpdate rank_update(NumericsLevel level);

}  // namespace lipizz::nn
