#include "nn/cpu/elementwise.hpp"

#include <cmath>

#include "core/math.hpp"
#include "core/simd.hpp"
#include "nn/base/powers.hpp"

namespace lipizz::nn {
namespace {

LIPIZZ_MULTIVERSION
void leaky_gradient(const float* __restrict dy, const float* __restrict y, float* __restrict dz,
                    float slope, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) dz[i] = y[i] > 0 ? dy[i] : slope * dy[i];
}

LIPIZZ_MULTIVERSION
void tanh_gradient(const float* __restrict dy, const float* __restrict y, float* __restrict dz,
                   std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (1 - y[i] * y[i]);
}

LIPIZZ_MULTIVERSION
void sigmoid_gradient(const float* __restrict dy, const float* __restrict y, float* __restrict dz,
                      std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) dz[i] = dy[i] * (y[i] * (1 - y[i]));
}

LIPIZZ_MULTIVERSION
void adam(float* __restrict w, float* __restrict m, float* __restrict v, const float* __restrict g,
          float beta1, float keep1, float beta2, float keep2, float rate, float scale,
          float epsilon, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = beta1 * m[i] + keep1 * g[i];
    v[i] = beta2 * v[i] + keep2 * g[i] * g[i];
    w[i] -= rate * m[i] / (std::sqrt(v[i]) * scale + epsilon);
  }
}

LIPIZZ_MULTIVERSION
void rmsprop(float* __restrict w, float* __restrict v, const float* __restrict g, float beta2,
             float keep2, float rate, float epsilon, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = beta2 * v[i] + keep2 * g[i] * g[i];
    w[i] -= rate * g[i] / (std::sqrt(v[i]) + epsilon);
  }
}

LIPIZZ_MULTIVERSION
void sgd(float* __restrict w, float* __restrict m, const float* __restrict g, float momentum,
         float rate, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = momentum * m[i] + g[i];
    w[i] -= rate * m[i];
  }
}

LIPIZZ_MULTIVERSION
void leaky(const float* x, float* y, float slope, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : slope * x[i];
}

}  // namespace

void activation(Activation activation, const float* x, float* y, std::size_t n) {
  if (const auto slope = slope_below_zero(activation)) return leaky(x, y, *slope, n);
  if (activation == Activation::kTanh) {
    for (std::size_t i = 0; i < n; ++i) y[i] = math::tanh(x[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) y[i] = math::sigmoid(x[i]);
  }
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

LIPIZZ_MULTIVERSION
void clip(float* w, float limit, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float low = w[i] < -limit ? -limit : w[i];
    w[i] = low > limit ? limit : low;
  }
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
void add(const float* __restrict a, const float* __restrict b, float* __restrict sum,
         std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sum[i] = a[i] + b[i];
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

void optimizer_step(const OptimizerSpec& o, float* parameters, float* const (&moments)[2],
                    const float* gradients, float learning_rate, std::uint32_t step,
                    std::size_t n) {
  const auto beta1 = static_cast<float>(o.beta1);
  const auto beta2 = static_cast<float>(o.beta2);
  const auto keep1 = static_cast<float>(1 - o.beta1);
  const auto keep2 = static_cast<float>(1 - o.beta2);
  const auto epsilon = static_cast<float>(o.epsilon);
  switch (o.kind) {
    case OptimizerKind::kSgd:
      return sgd(parameters, moments[0], gradients, beta1, learning_rate, n);
    case OptimizerKind::kRmsProp:
      return rmsprop(parameters, moments[0], gradients, beta2, keep2, learning_rate, epsilon, n);
    case OptimizerKind::kAdam: {
      const auto scale = static_cast<float>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
      const auto rate = static_cast<float>(learning_rate / (1 - power(o.beta1, step + 1)));
      return adam(parameters, moments[0], moments[1], gradients, beta1, keep1, beta2, keep2, rate,
                  scale, epsilon, n);
    }
  }
}

}  // namespace lipizz::nn
