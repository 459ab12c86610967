#include "nn/cpu/spectral.hpp"

#include "core/simd.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/spectral.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/node_kernel.hpp"

namespace lipizz::nn {
namespace {

// In eight lanes of double precision, added up in order.
LIPIZZ_MULTIVERSION
double dot(const float* __restrict a, const float* __restrict b, std::size_t n) {
  constexpr std::size_t kLanes = 8;
  const std::size_t whole = n / kLanes * kLanes;
  double lane[kLanes] = {};
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      lane[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
    }
  }
  double sum = 0;
  for (std::size_t l = 0; l < kLanes; ++l) sum += lane[l];
  for (std::size_t i = whole; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

LIPIZZ_MULTIVERSION
void scale(const float* __restrict x, float rate, float* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = rate * x[i];
}

// y = rate x - d w^T. x, y: [n_rows, n]
LIPIZZ_MULTIVERSION
void scale_less_product(const float* __restrict x, float rate, const float* __restrict d,
                        const float* __restrict w, std::size_t n_rows, std::size_t n,
                        float* __restrict y) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i * n + j] = rate * x[i * n + j] - d[i] * w[j];
  }
}

// w: [n_in, n_out], u: [n_out], v: [n_in], and a column [n_in] to work in.
class SpectralKernel : public NodeKernel {
 protected:
  SpectralKernel(const Graph& graph, ValueId value, std::size_t w_input)
      : NodeKernel(graph, value),
        n_out_(graph.shape(node().inputs[w_input]).back()),
        n_in_(static_cast<std::uint32_t>(n_elements(graph.shape(node().inputs[w_input])) / n_out_)),
        column_(n_in_) {}

  [[nodiscard]] std::size_t n_weights() const { return std::size_t{n_in_} * n_out_; }
  // v^T w u
  double singular_value(const float* w, const float* u, const float* v) {
    multiply_vector(w, u, 0, column_.data(), n_in_, n_out_);
    return dot(column_.data(), v, n_in_);
  }

  std::uint32_t n_out_;
  std::uint32_t n_in_;
  Buffer<float> column_;
};

class PowerIteration final : public SpectralKernel {
 public:
  PowerIteration(const Graph& graph, ValueId value) : SpectralKernel(graph, value, 0) {}

  void run(float* const* values) override {
    const float* w = input(values, 0);
    float* u = input(values, 1);
    float* v = input(values, 2);
    multiply_vector(w, u, 0, v, n_in_, n_out_);
    normalise_vector(v, n_in_);
    multiply_transposed(w, v, u, n_in_, n_out_);
    normalise_vector(u, n_out_);
  }
};

class SpectralScale final : public SpectralKernel {
 public:
  SpectralScale(const Graph& graph, ValueId value) : SpectralKernel(graph, value, 0) {}

  void run(float* const* values) override {
    const float* w = input(values, 0);
    const double s = singular_value(w, input(values, 1), input(values, 2));
    scale(w, static_cast<float>(1 / s), result(values), n_weights());
  }
};

// dw = dy / s - (sum of dy w) / s^2 v u^T
class SpectralScaleGradient final : public SpectralKernel {
 public:
  SpectralScaleGradient(const Graph& graph, ValueId value) : SpectralKernel(graph, value, 1) {}

  void run(float* const* values) override {
    const float* dy = input(values, 0);
    const float* w = input(values, 1);
    const float* u = input(values, 2);
    const float* v = input(values, 3);
    const double s = singular_value(w, u, v);
    const double product = dot(dy, w, n_weights());
    scale(v, static_cast<float>(product / (s * s)), column_.data(), n_in_);
    scale_less_product(dy, static_cast<float>(1 / s), column_.data(), u, n_in_, n_out_,
                       result(values));
  }
};

template <class Node>
std::unique_ptr<Kernel<float>> make(const Graph& graph, ValueId value) {
  return std::make_unique<Node>(graph, value);
}

}  // namespace

std::span<const KernelEntry> spectral_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kPowerIteration, make<PowerIteration>},
      {&kSpectralScale, make<SpectralScale>},
      {&kSpectralScaleGradient, make<SpectralScaleGradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
