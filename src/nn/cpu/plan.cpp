#include "nn/cpu/plan.hpp"

#include <algorithm>
#include <utility>

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
Plan<T>::Plan(const Engine& engine, const Graph& described, std::uint32_t n_models,
              std::shared_ptr<Arena<T>> arena)
    : graph_(std::make_unique<const Graph>(settled(engine, described))),
      views_(graph_->slot_views()),
      values_(n_models, std::vector<T*>(graph_->nodes().size(), nullptr)),
      arena_(arena ? std::move(arena) : std::make_shared<Arena<T>>()) {
  const Graph& graph = *graph_;
  for (const ValueId value : graph.live_operations()) {
    kernels_.push_back(make_kernel<T>(engine, graph, value));
    n_workspace_ = std::max(n_workspace_, padded<T>(kernels_.back()->n_workspace()));
  }
  const MemoryPlan memory = plan_memory(graph, padded<T>(1));
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const auto [owner, offset] = graph.storage({i});
    const std::size_t first = memory.offsets[owner.index];
    if (first != MemoryPlan::kNowhere) offsets_.emplace_back(i, n_workspace_ + first + offset);
  }
  arena_->reserve(n_workspace_ + memory.n_elements);
  use_arena();
  for (std::uint32_t i = 0; i < graph.slots().size(); ++i) give_memory({i});
}

template <class T>
void Plan<T>::use_arena() {
  place_in_arena_ = arena_->data();
  for (const auto& kernel : kernels_) kernel->use_workspace(place_in_arena_);
  for (std::vector<T*>& values : values_) {
    for (const auto& [node, offset] : offsets_) values[node] = place_in_arena_ + offset;
  }
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
  if (place_in_arena_ != arena_->data()) use_arena();
  for (const std::vector<T*>& values : values_) {
    for (const auto& kernel : kernels_) kernel->run(values.data());
  }
}

PlanBytes planned_bytes(const Engine& engine, const Graph& described) {
  const Graph graph = settled(engine, described);
  std::size_t n_kept = 0;
  for (const Slot& slot : graph.slots()) {
    if (slot.access == Slot::Access::kInternal || slot.access == Slot::Access::kSetting) {
      n_kept += slot.n_elements;
    }
  }
  std::size_t workspace = 0;
  for (const ValueId value : graph.live_operations()) {
    workspace = std::max(workspace, kernel_workspace_bytes(engine, graph, value));
  }
  const std::size_t n_results = plan_memory(graph, padded<float>(1)).n_elements;
  return {.kept = n_kept * sizeof(float), .arena = workspace + n_results * sizeof(float)};
}

template class Plan<float>;
template class Plan<double>;

}  // namespace lipizz::nn
