#include <cmath>

#include "core/simd.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/normalisation.hpp"
#include "nn/cpu/row_groups.hpp"

namespace lipizz::nn {
namespace {

// The values of one row, and those of each column in its group: all [n].
struct Row {
  const float* h;
  const float* dz;
  const float* x;
  const float* mean;
  const float* variance;
  const float* factors;
  const float* h_products;  // sums of h x^
  const float* h_sums;
  const float* dz_products;  // sums of dz x^
  const float* dz_sums;
  const float* products;  // sums of h dz
  float* out;
};

// With r = 1 / standard deviation, x^ = (x - mean) r, n rows in a group, a = sum of h x^, b = sum
// of dz x^, A = sum of h dz - sum of h * sum of dz / n - a b / n, scale s: r (v - mean(v) - x^
// mean(v x^)) - s r^2 A x^ / n, where v = -s r (h b + dz a) / n.
LIPIZZ_MULTIVERSION
void second_derivative_of_row(const Row& row, std::size_t n_columns, float n_rows, float epsilon) {
  LIPIZZ_INDEPENDENT
  for (std::size_t c = 0; c < n_columns; ++c) {
    const float r = 1 / std::sqrt(row.variance[c] + epsilon);
    const float normalised = (row.x[c] - row.mean[c]) * r;
    const float a = row.h_products[c];
    const float b = row.dz_products[c];
    const float sum_h = row.h_sums[c];
    const float sum_dz = row.dz_sums[c];
    const float of_both = row.products[c] - sum_h * sum_dz / n_rows - a * b / n_rows;
    const float centred = (row.h[c] - sum_h / n_rows) * b + (row.dz[c] - sum_dz / n_rows) * a;
    const float along = normalised * (2 * a * b / n_rows);
    row.out[c] = -row.factors[c] * r * r / n_rows * (centred - along + of_both * normalised);
  }
}

void second_derivative(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const auto input = [&](std::size_t i) { return values[node.inputs[i].index]; };
  const Groups groups(node.shape, graph.shape(node.inputs[3])[0]);
  const std::size_t n = groups.n;
  groups.for_each_row([&](std::size_t group, std::size_t at) {
    const float* statistics = input(3) + group * 2 * n;
    const float* h_sums = input(5) + group * 2 * n;
    const float* dz_sums = input(6) + group * 2 * n;
    second_derivative_of_row({.h = input(0) + at,
                              .dz = input(1) + at,
                              .x = input(2) + at,
                              .mean = statistics,
                              .variance = statistics + n,
                              .factors = input(4),
                              .h_products = h_sums,
                              .h_sums = h_sums + n,
                              .dz_products = dz_sums,
                              .dz_sums = dz_sums + n,
                              .products = input(7) + group * n,
                              .out = values[value.index] + at},
                             n, static_cast<float>(groups.n_rows),
                             static_cast<float>(node.attributes.number));
  });
}

}  // namespace

std::unique_ptr<Kernel<float>> make_normalise_second_derivative(const Graph& graph, ValueId value) {
  return make_function<second_derivative>(graph, value);
}

}  // namespace lipizz::nn
