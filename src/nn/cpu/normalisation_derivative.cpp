#include <cmath>

#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/normalisation.hpp"
#include "nn/cpu/row_groups.hpp"

namespace lipizz::nn {
namespace {

// With r = 1 / standard deviation, x^ = (x - mean) r, n rows in a group, a = sum of h x^, b = sum
// of dz x^, A = sum of h dz - sum of h * sum of dz / n - a b / n, scale s: r (v - mean(v) - x^
// mean(v x^)) - s r^2 A x^ / n, where v = -s r (h b + dz a) / n.
void second_derivative(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const auto input = [&](std::size_t i) { return values[node.inputs[i].index]; };
  const float* h = input(0);
  const float* dz = input(1);
  const float* x = input(2);
  const float* statistics = input(3);
  const float* factors = input(4);
  const float* h_sums = input(5);
  const float* dz_sums = input(6);
  const float* products = input(7);
  float* out = values[value.index];
  const Groups groups(node.shape, graph.shape(node.inputs[3])[0]);
  const auto n = static_cast<float>(groups.n_rows);
  groups.for_each_row([&](std::size_t group, std::size_t at) {
    const std::size_t mean = group * 2 * groups.n;
    const std::size_t second = mean + groups.n;
    for (std::size_t c = 0; c < groups.n; ++c) {
      const float variance = statistics[second + c];
      const float r = 1 / std::sqrt(variance + static_cast<float>(node.attributes.number));
      const float normalised = (x[at + c] - statistics[mean + c]) * r;
      const float a = h_sums[mean + c];
      const float b = dz_sums[mean + c];
      const float sum_h = h_sums[second + c];
      const float sum_dz = dz_sums[second + c];
      const float of_both = products[group * groups.n + c] - sum_h * sum_dz / n - a * b / n;
      const float centred = (h[at + c] - sum_h / n) * b + (dz[at + c] - sum_dz / n) * a;
      const float along = normalised * (2 * a * b / n);
      out[at + c] = -factors[c] * r * r / n * (centred - along + of_both * normalised);
    }
  });
}

}  // namespace

std::unique_ptr<Kernel<float>> make_normalise_second_derivative(const Graph& graph, ValueId value) {
  return make_function<second_derivative>(graph, value);
}

}  // namespace lipizz::nn
