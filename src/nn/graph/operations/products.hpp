#pragma once

#include "nn/graph/operation.hpp"

/// Matrix products.
namespace lipizz::nn {

extern const Operation kLinear;
extern const Operation kMatmul;
extern const Operation kBatchMatmul;

std::span<const Operation* const> products_operations();

}  // namespace lipizz::nn
