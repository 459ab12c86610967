#include "nn/cpu/plan.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/graph/memory_plan.hpp"

namespace lipizz::nn {
namespace {

// With the algorithm of every convolution chosen.
Graph settled(const Engine& engine, Graph graph) {
  choose_algorithms(engine, graph);
  return graph;
}

}  // namespace

template <class T>
Plan<T>::Plan(const Engine& engine, const Graph& described, std::uint32_t n_models)
    : graph_(std::make_unique<const Graph>(settled(engine, described))),
      views_(graph_->slot_views()) {
  const Graph& graph = *graph_;
  const std::span<const Slot> slots = graph.slots();
  const MemoryPlan memory = plan_memory(graph, padded<T>(1));
  results_.resize(memory.n_elements);
  std::vector<T*> values(graph.nodes().size(), nullptr);
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const auto [owner, offset] = graph.storage({i});
    if (memory.offsets[owner.index] != MemoryPlan::kNowhere) {
      values[i] = results_.data() + memory.offsets[owner.index] + offset;
    }
  }
  values_.assign(n_models, values);
  std::size_t n_workspace = 0;
  for (const ValueId value : graph.live_operations()) {
    kernels_.push_back(make_kernel<T>(engine, graph, value));
    n_workspace = std::max(n_workspace, kernels_.back()->n_workspace());
  }
  workspace_.resize(n_workspace);
  for (const auto& kernel : kernels_) kernel->use_workspace(workspace_.data());
  for (std::uint32_t i = 0; i < slots.size(); ++i) give_memory({i});
}

// Models run one after the other, so that they share what is the plan's own; settings are theirs.
template <class T>
void Plan<T>::give_memory(SlotId id) {
  const Slot& slot = graph_->slots()[id.index];
  if (slot.access == Slot::Access::kInternal) internal_slots_.emplace_back(slot.n_elements);
  for (std::uint32_t model = 0; model < n_models(); ++model) {
    if (slot.access == Slot::Access::kInternal) {
      point(id, model, internal_slots_.back().data(), slot.n_elements);
    } else if (slot.access == Slot::Access::kSetting) {
      Buffer<T>& setting = settings_[{id, model}];
      setting.resize(slot.n_elements);
      point(id, model, setting.data(), slot.n_elements);
    }
  }
}

template <class T>
void Plan<T>::point(SlotId slot, std::uint32_t model, T* memory, std::size_t n_elements) {
  check_size(graph_->slots()[slot.index], n_elements);
  for (const Graph::SlotView& view : views_[slot.index])
    values_[model][view.node] = memory + view.offset;
}

template <class T>
void Plan<T>::bind(SlotId slot, std::uint32_t model, std::span<T> memory) {
  LIPIZZ_ASSERT(graph_->slots()[slot.index].access != Slot::Access::kInternal);
  point(slot, model, memory.data(), memory.size());
}

template <class T>
void Plan<T>::bind(SlotId slot, std::uint32_t model, std::span<const T> memory) {
  LIPIZZ_ASSERT(graph_->slots()[slot.index].access == Slot::Access::kRead);
  // Kernels take one type of pointer; nothing writes to a slot that is only read.
  point(slot, model, const_cast<T*>(memory.data()), memory.size());
}

template <class T>
std::span<T> Plan<T>::setting(SlotId slot, std::uint32_t model) {
  return settings_.at({slot, model});
}

template <class T>
void Plan<T>::run() {
  for (const std::vector<T*>& values : values_) {
    for (const auto& kernel : kernels_) kernel->run(values.data());
  }
}

std::size_t planned_bytes(const Engine& engine, const Graph& described) {
  const Graph graph = settled(engine, described);
  std::size_t n = plan_memory(graph, padded<float>(1)).n_elements;
  for (const Slot& slot : graph.slots()) {
    if (slot.access == Slot::Access::kInternal || slot.access == Slot::Access::kSetting) {
      n += slot.n_elements;
    }
  }
  const std::size_t n_bytes = n * sizeof(float);
  std::size_t n_workspace = 0;
  for (const ValueId value : graph.live_operations()) {
    n_workspace = std::max(n_workspace, kernel_workspace_bytes(engine, graph, value));
  }
  return n_bytes + n_workspace;
}

template class Plan<float>;
template class Plan<double>;

}  // namespace lipizz::nn
