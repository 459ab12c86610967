#include "nn/cpu/elementwise.hpp"

#include "core/math.hpp"
#include "core/simd.hpp"
#include "nn/base/activation_functions.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/loop_kernel.hpp"

namespace lipizz::nn {
namespace {

LIPIZZ_MULTIVERSION
void leaky_gradient(const float* dy, const float* y, float* dz, float slope, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) dz[i] = y[i] > 0 ? dy[i] : slope * dy[i];
}

LIPIZZ_MULTIVERSION
void tanh_gradient(const float* dy, const float* y, float* dz, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (1 - y[i] * y[i]);
}

LIPIZZ_MULTIVERSION
void sigmoid_gradient(const float* dy, const float* y, float* dz, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (y[i] * (1 - y[i]));
}

LIPIZZ_MULTIVERSION
void leaky(const float* x, float* y, float slope, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : slope * x[i];
}

LIPIZZ_MULTIVERSION
void hyperbolic_tangent(const float* x, float* y, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = math::tanh(x[i]);
}

LIPIZZ_MULTIVERSION
void sigmoid(const float* x, float* y, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = math::sigmoid(x[i]);
}

}  // namespace

void activation(Activation activation, const float* x, float* y, std::size_t n) {
  if (const auto slope = slope_below_zero(activation)) return leaky(x, y, *slope, n);
  if (activation == Activation::kTanh) return hyperbolic_tangent(x, y, n);
  return sigmoid(x, y, n);
}

void finish_curve(Activation applied, float* y, std::size_t n) {
  if (!slope_below_zero(applied)) activation(applied, y, y, n);
}

LIPIZZ_MULTIVERSION
void add_rows(const float* __restrict x, float* __restrict rows, std::size_t n_rows,
              std::size_t n) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) rows[i * n + j] += x[j];
  }
}

void finish_rows(Activation applied, const float* bias, float* rows, std::size_t n,
                 std::size_t channels) {
  if (bias != nullptr) add_rows(bias, rows, n / channels, channels);
  if (applied != Activation::kNone) activation(applied, rows, rows, n);
}

void activation_gradient(Activation activation, const float* dy, const float* y, float* dz,
                         std::size_t n) {
  if (const auto slope = slope_below_zero(activation)) {
    return leaky_gradient(dy, y, dz, *slope, n);
  }
  if (activation == Activation::kTanh) return tanh_gradient(dy, y, dz, n);
  return sigmoid_gradient(dy, y, dz, n);
}

LIPIZZ_MULTIVERSION
void sum_rows(const float* __restrict x, float* __restrict sums, std::uint32_t n_rows,
              std::uint32_t n_columns) {
  for (std::uint32_t j = 0; j < n_columns; ++j) sums[j] = 0;
  for (std::uint32_t i = 0; i < n_rows; ++i) {
    const float* row = x + std::size_t{i} * n_columns;
    for (std::uint32_t j = 0; j < n_columns; ++j) sums[j] += row[j];
  }
}

LIPIZZ_MULTIVERSION
void add(const float* a, const float* b, float* sum, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) sum[i] = a[i] + b[i];
}

LIPIZZ_MULTIVERSION
void scale_by(const float* x, float number, float* y, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * number;
}

LIPIZZ_MULTIVERSION
void multiply_vector(const float* __restrict x, const float* __restrict w, float bias,
                     float* __restrict y, std::uint32_t n_rows, std::uint32_t n) {
  constexpr std::uint32_t kLanes = 16;
  const std::uint32_t whole = n / kLanes * kLanes;
  for (std::uint32_t i = 0; i < n_rows; ++i) {
    const float* row = x + std::size_t{i} * n;
    float lane[kLanes] = {};
    for (std::uint32_t j = 0; j < whole; j += kLanes) {
      for (std::uint32_t l = 0; l < kLanes; ++l) lane[l] += row[j + l] * w[j + l];
    }
    float sum = bias;
    for (std::uint32_t l = 0; l < kLanes; ++l) sum += lane[l];
    for (std::uint32_t j = whole; j < n; ++j) sum += row[j] * w[j];
    y[i] = sum;
  }
}

LIPIZZ_MULTIVERSION
void multiply_transposed(const float* __restrict x, const float* __restrict d, float* __restrict y,
                         std::uint32_t n_rows, std::uint32_t n) {
  for (std::uint32_t j = 0; j < n; ++j) y[j] = 0;
  for (std::uint32_t i = 0; i < n_rows; ++i) {
    const float* row = x + std::size_t{i} * n;
    for (std::uint32_t j = 0; j < n; ++j) y[j] += row[j] * d[i];
  }
}

LIPIZZ_MULTIVERSION
void outer_product(const float* __restrict d, const float* __restrict w, float* __restrict y,
                   std::uint32_t n_rows, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n_rows; ++i) {
    float* row = y + std::size_t{i} * n;
    for (std::uint32_t j = 0; j < n; ++j) row[j] = d[i] * w[j];
  }
}

namespace {

void run_activation_gradient(const LoopKernel& k, float* const* v) {
  activation_gradient(k.attributes().activation, k.input(v, 0), k.input(v, 1), k.result(v),
                      n_elements(k.first_shape()));
}

void run_activation(const LoopKernel& k, float* const* v) {
  activation(k.attributes().activation, k.input(v, 0), k.result(v), n_elements(k.first_shape()));
}

void run_add(const LoopKernel& k, float* const* v) {
  add(k.input(v, 0), k.input(v, 1), k.result(v), n_elements(k.first_shape()));
}

void run_scale_by(const LoopKernel& k, float* const* v) {
  scale_by(k.input(v, 0), *k.input(v, 1), k.result(v), n_elements(k.first_shape()));
}

void second_derivative(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* h = values[node.inputs[0].index];
  const float* dy = values[node.inputs[1].index];
  const float* y = values[node.inputs[2].index];
  float* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    out[i] = h[i] * dy[i] * activation_slope_of_slope(node.attributes.activation, y[i]);
  }
}

}  // namespace

std::span<const KernelEntry> elementwise_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kActivation, make_loop<run_activation>},
      {&kActivationGradient, make_loop<run_activation_gradient>},
      {&kActivationSecondDerivative, make_function<second_derivative>},
      {&kAdd, make_loop<run_add>},
      {&kScaleBy, make_loop<run_scale_by>},
  };
  return kTable;
}

}  // namespace lipizz::nn
