#pragma once

#include <cstdint>
#include <memory>

#include "nn/base/activation_functions.hpp"
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
