#pragma once

#include <cstdint>

#include "nn/base/optimizer.hpp"

namespace lipizz::nn {

/// How many of an optimizer's moments, the last ones, are running means of squares, which are never
/// below 0. InternalError when there is no such row.
std::uint32_t n_squares(OptimizerId kind);

}  // namespace lipizz::nn
