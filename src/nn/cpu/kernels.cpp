#include "nn/cpu/kernels.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

template <class T>
class ReferenceKernel final : public Kernel<T> {
 public:
  ReferenceKernel(const Graph& graph, ValueId value, Reference::Kernel<T> compute)
      : graph_(graph), value_(value), compute_(compute) {}
  void run(T* const* values) override { compute_(graph_, value_, values); }

 private:
  const Graph& graph_;
  ValueId value_;
  Reference::Kernel<T> compute_;
};

template <class T>
std::unique_ptr<Kernel<T>> make_reference(const Graph& graph, ValueId value) {
  const Operation& operation = *graph.node(value).operation;
  prepare_references();
  Reference::Kernel<T> compute = nullptr;
  if constexpr (std::is_same_v<T, float>) {
    compute = operation.reference.f32;
  } else {
    compute = operation.reference.f64;
  }
  if (compute == nullptr) {
    throw InternalError("no reference for " + std::string(operation.name));
  }
  return std::make_unique<ReferenceKernel<T>>(graph, value, compute);
}

const KernelEntry* find_in(std::span<const KernelEntry> table, const Operation& operation) {
  const auto found = std::ranges::find(table, &operation, &KernelEntry::operation);
  return found == table.end() ? nullptr : &*found;
}

// Null when the engine runs the reference.
const KernelEntry* find_fast(const Engine& engine, const Operation& operation) {
  if (engine.backend != Backend::kOneDnn) return nullptr;
  const auto table = fast_kernels();
  if (table.empty()) throw InternalError("this build has no oneDNN");
  if (engine.precision == Precision::kBf16) {
    if (const KernelEntry* rounding = find_in(bf16_kernels(), operation)) return rounding;
  }
  return find_in(table, operation);
}

}  // namespace

template <>
std::unique_ptr<Kernel<float>> make_kernel(const Engine& engine, const Graph& graph,
                                           ValueId value) {
  if (engine.make_kernel != nullptr) return engine.make_kernel(graph, value);
  const KernelEntry* fast = find_fast(engine, *graph.node(value).operation);
  return fast != nullptr ? make_fast_kernel(*fast, graph, value)
                         : make_reference<float>(graph, value);
}

template <>
std::unique_ptr<Kernel<double>> make_kernel(const Engine& engine, const Graph& graph,
                                            ValueId value) {
  if (engine.backend == Backend::kReference) return make_reference<double>(graph, value);
  throw InternalError("backend " + std::string(to_string(engine.backend)) +
                      " does not compute in double precision");
}

std::size_t kernel_workspace_bytes(const Engine& engine, const Graph& graph, ValueId value) {
  const KernelEntry* fast = find_fast(engine, *graph.node(value).operation);
  const bool asks = fast != nullptr && fast->workspace_bytes != nullptr;
  return asks ? fast->workspace_bytes(engine, graph, value) : 0;
}

}  // namespace lipizz::nn
