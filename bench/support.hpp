#pragma once

#include <cstdint>

#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

/// Common functions of benchmarks of training steps.
namespace lipizz::bench {

/// The fast engine of this build, its numerics fixed.
nn::Engine fastest_engine(nn::Precision precision = nn::Precision::kF32);

/// Multiplications and additions of a graph's products, the rest not counted.
double product_flops(const nn::Graph& graph);

/// The i-th argument of a program, a number.
std::uint32_t number_argument(int argc, char** argv, int i, std::uint32_t otherwise);

}  // namespace lipizz::bench
