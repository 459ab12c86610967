#pragma once

#include <cstdint>
#include <memory>

#include "core/math.hpp"
#include "nn/activation.hpp"
#include "nn/cpu/kernels.hpp"

/// What the reference backend's kernels share.
namespace lipizz::nn {

/// A function of (graph, value, values) as a kernel.
template <class T, void (*compute)(const Graph&, ValueId, T* const*)>
class ReferenceKernel final : public Kernel<T> {
 public:
  ReferenceKernel(const Graph& graph, ValueId value) : graph_(graph), value_(value) {}
  void run(T* const* values) override { compute(graph_, value_, values); }
  static std::unique_ptr<Kernel<T>> make(const Graph& graph, ValueId value) {
    return std::make_unique<ReferenceKernel>(graph, value);
  }

 private:
  const Graph& graph_;
  ValueId value_;
};

template <class T>
T activate(Activation activation, T x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : T{0};
    case Activation::kLeakyRelu:
      return x > 0 ? x : static_cast<T>(kLeakySlope) * x;
    case Activation::kTanh:
      return math::tanh(x);
    case Activation::kSigmoid:
      return math::sigmoid(x);
  }
  return x;
}

// The derivative, given the function's result.
template <class T>
T activation_slope(Activation activation, T y) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return y > 0 ? T{1} : T{0};
    case Activation::kLeakyRelu:
      return y > 0 ? T{1} : static_cast<T>(kLeakySlope);
    case Activation::kTanh:
      return 1 - y * y;
    case Activation::kSigmoid:
      return y * (1 - y);
  }
  return 1;
}

/// Convolutions as products with the windows of one image after the other.
template <class T>
void reference_convolution(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_transposed_convolution(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_convolution_weights(const Graph& graph, ValueId value, T* const* values);

/// Statistics are taken in double, rows in order.
template <class T>
void reference_statistics(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_normalise(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_normalise_sums(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_normalise_gradient(const Graph& graph, ValueId value, T* const* values);
template <class T>
void reference_update_running(const Graph& graph, ValueId value, T* const* values);

}  // namespace lipizz::nn
