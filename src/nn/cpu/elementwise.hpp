#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/activation.hpp"
#include "nn/optimizer.hpp"

/// The fast CPU engine's own loops, compiled for each instruction set with the same bits on all.
namespace lipizz::nn {

/// dz = dy * activation'(x), given y = activation(x). All [n].
void activation_gradient(Activation activation, const float* dy, const float* y, float* dz,
                         std::size_t n);

/// sums[j] = sum over rows of x[i, j], rows in order. x: [n_rows, n_columns]
void sum_rows(const float* x, float* sums, std::uint32_t n_rows, std::uint32_t n_columns);

/// sum = a + b
void add(const float* a, const float* b, float* sum, std::size_t n);

/// One update in place; `moments` as the optimizer's table says, `step` counts the updates before.
void optimizer_step(const OptimizerSpec& optimizer, float* parameters, float* moments,
                    const float* gradients, float learning_rate, std::uint32_t step, std::size_t n);

}  // namespace lipizz::nn
