#pragma once

#include <cstdint>

#include "nn/base/engine.hpp"
#include "nn/network/models.hpp"

/// Common functions of benchmarks of training steps.
namespace lipizz::bench {

/// The fastest engine of this build in that precision, its numerics fixed.
nn::Engine fix_fastest_engine(nn::Precision precision = nn::Precision::kF32);

/// Multiplications and additions (arithmetic.hpp) of a pass of n samples through a network, or the
/// first of its layers; 0: all.
double pass_flops(const nn::NetworkSpec& network, std::uint32_t n, std::uint32_t n_layers = 0);

/// Those of comparing so many generators and as many discriminators on n samples.
double fitness_flops(const nn::GanSpec& model, std::uint32_t n_members, std::uint32_t n);

/// The i-th argument of a program, a number.
std::uint32_t number_argument(int argc, char** argv, int i, std::uint32_t otherwise);

}  // namespace lipizz::bench
