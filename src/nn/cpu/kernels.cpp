#include "nn/cpu/kernels.hpp"

#include <string>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

template <class T>
std::span<const KernelEntry<T>> table(const Engine& engine) {
  if constexpr (std::is_same_v<T, float>) {
    if (engine.backend == Backend::kOneDnn) return onednn_kernels();
  }
  if (engine.backend == Backend::kReference) return reference_kernels<T>();
  return {};
}

template <class T>
const KernelEntry<T>& find(const Engine& engine, const Operation& operation) {
  for (const KernelEntry<T>& entry : table<T>(engine)) {
    if (entry.operation == &operation) return entry;
  }
  throw InternalError("backend " + std::string(to_string(engine.backend)) + " has no kernel for " +
                      std::string(operation.name));
}

}  // namespace

template <class T>
std::unique_ptr<Kernel<T>> make_kernel(const Engine& engine, const Graph& graph, ValueId value) {
  if constexpr (std::is_same_v<T, float>) {
    if (engine.make_kernel != nullptr) return engine.make_kernel(graph, value);
  }
  return find<T>(engine, *graph.node(value).operation).make(graph, value);
}

std::size_t kernel_room(const Engine& engine, const Graph& graph, ValueId value) {
  const auto room = find<float>(engine, *graph.node(value).operation).room;
  return room == nullptr ? 0 : room(graph, value);
}

template std::unique_ptr<Kernel<float>> make_kernel(const Engine&, const Graph&, ValueId);
template std::unique_ptr<Kernel<double>> make_kernel(const Engine&, const Graph&, ValueId);

}  // namespace lipizz::nn
