#pragma once

#include <memory>
#include <span>

#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {

/// A backend's way to prepare one operation of a graph.
template <class T>
struct KernelEntry {
  const Operation* operation;
  std::unique_ptr<Kernel<T>> (*make)(const Graph& graph, ValueId value);
  /// Bytes of scratch that the kernel will ask for; null: none.
  std::size_t (*room)(const Graph& graph, ValueId value) = nullptr;
};

/// Written on Eigen for reading and judging; T is float or double.
template <class T>
std::span<const KernelEntry<T>> reference_kernels();

/// Matrix products on oneDNN, everything else in loops compiled for each instruction set. Empty in
/// a build without oneDNN.
std::span<const KernelEntry<float>> onednn_kernels();

/// InternalError when the engine's table has no such operation.
template <class T>
std::unique_ptr<Kernel<T>> make_kernel(const Engine& engine, const Graph& graph, ValueId value);

/// Bytes of scratch that this kernel would ask for, without making it.
std::size_t kernel_room(const Engine& engine, const Graph& graph, ValueId value);

}  // namespace lipizz::nn
