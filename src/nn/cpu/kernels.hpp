#pragma once

#include <memory>
#include <span>

#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {

/// The fast engine's kernel of one operation. Each family has a table of those operations that it
/// computes by another algorithm than their reference.
struct KernelEntry {
  const Operation* operation;
  std::unique_ptr<Kernel<float>> (*make)(const Graph& graph, ValueId value);
  /// Bytes of workspace that the kernel will ask for; null: none.
  std::size_t (*workspace_bytes)(const Engine& engine, const Graph& graph, ValueId value) = nullptr;
};

/// Matrix products in blocks or on oneDNN, everything else in loops compiled for each instruction
/// set. Empty in a build without oneDNN.
std::span<const KernelEntry> fast_kernels();
/// Those that take the place of others where factors are rounded to bf16 (Engine::precision):
/// products and convolutions.
std::span<const KernelEntry> bf16_kernels();
/// A kernel of that table. std::bad_alloc where oneDNN gets no memory for it.
std::unique_ptr<Kernel<float>> make_fast_kernel(const KernelEntry& entry, const Graph& graph,
                                                ValueId value);

/// The fast engine's kernel where it has one of its own, else the operation's reference.
/// InternalError when the engine computes nothing in this precision, or the operation has no
/// reference.
template <class T>
std::unique_ptr<Kernel<T>> make_kernel(const Engine& engine, const Graph& graph, ValueId value);

/// Bytes of workspace that this kernel would ask for, without making it.
std::size_t kernel_workspace_bytes(const Engine& engine, const Graph& graph, ValueId value);

}  // namespace lipizz::nn
