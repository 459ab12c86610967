#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/base/activation.hpp"
#include "nn/cpu/kernels.hpp"

/// The fast CPU engine's own loops, compiled for each instruction set with the same bits on all.
namespace lipizz::nn {

/// dz = dy * activation'(x), given y = activation(x). All [n]; dz may be dy or y.
void activation_gradient(Activation activation, const float* dy, const float* y, float* dz,
                         std::size_t n);

/// y = activation(x). All [n]; x and y may be the same.
void activation(Activation activation, const float* x, float* y, std::size_t n);

/// The same in place, for those that are not two straight lines; others are left to the operation
/// before. y: [n]
void finish_curve(Activation activation, float* y, std::size_t n);

/// rows[i, j] += x[j]. rows: [n_rows, n]
void add_rows(const float* x, float* rows, std::size_t n_rows, std::size_t n);

/// rows = activation(rows + bias), each of n / channels rows; bias may be null.
void finish_rows(Activation activation, const float* bias, float* rows, std::size_t n,
                 std::size_t channels);

/// sums[j] = sum over rows of x[i, j], rows in order. x: [n_rows, n_columns]
void sum_rows(const float* x, float* sums, std::uint32_t n_rows, std::uint32_t n_columns);

/// sum = a + b, which may be one of them
void add(const float* a, const float* b, float* sum, std::size_t n);

/// y = x * number. Both [n]; y may be x.
void scale_by(const float* x, float number, float* y, std::size_t n);

/// Products with one column or one inner term, which a matrix kernel is too heavy for.
/// y[i] = sum over j of x[i, j] w[j] + bias, in sixteen lanes added up in order. x: [n_rows, n]
void multiply_vector(const float* x, const float* w, float bias, float* y, std::uint32_t n_rows,
                     std::uint32_t n);
/// y[j] = sum over i of x[i, j] d[i], rows in order. x: [n_rows, n]
void multiply_transposed(const float* x, const float* d, float* y, std::uint32_t n_rows,
                         std::uint32_t n);
/// y[i, j] = d[i] w[j]. y: [n_rows, n]
void outer_product(const float* d, const float* w, float* y, std::uint32_t n_rows, std::uint32_t n);

/// Activations, their derivatives and sums.
std::span<const KernelEntry> elementwise_kernels();

}  // namespace lipizz::nn
