#include "nn/plan.hpp"

#include "core/check.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/memory_plan.hpp"

namespace lipizz::nn {

template <class T>
Plan<T>::Plan(const Engine& engine, const Graph& graph, std::uint32_t n_models)
    : slots_(graph.slots().begin(), graph.slots().end()), views_(slots_.size()) {
  const MemoryPlan memory = plan_memory(graph, padded<T>(1));
  workspace_.resize(memory.n_elements);
  std::vector<T*> values(graph.nodes().size(), nullptr);
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const auto [owner, offset] = graph.storage({i});
    const auto& location = graph.node(owner).location;
    if (location) views_[location->slot.index].push_back({i, location->offset + offset});
    if (memory.offsets[owner.index] != MemoryPlan::kNowhere) {
      values[i] = workspace_.data() + memory.offsets[owner.index] + offset;
    }
  }
  values_.assign(n_models, values);
  for (const ValueId value : graph.live_operations()) {
    kernels_.push_back(make_kernel<T>(engine, graph, value));
  }
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].access != Slot::Access::kInternal) continue;
    internal_slots_.emplace_back(slots_[slot].n_elements);
    for (std::uint32_t model = 0; model < n_models; ++model) {
      point({slot}, model, internal_slots_.back().data(), slots_[slot].n_elements);
    }
  }
}

template <class T>
void Plan<T>::point(SlotId slot, std::uint32_t model, T* memory, std::size_t n_elements) {
  if (n_elements != slots_[slot.index].n_elements) {
    throw InternalError("slot " + slots_[slot.index].name + " holds " +
                        std::to_string(slots_[slot.index].n_elements) + " elements, bound to " +
                        std::to_string(n_elements));
  }
  for (const View& view : views_[slot.index]) values_[model][view.node] = memory + view.offset;
}

template <class T>
void Plan<T>::bind(SlotId slot, std::uint32_t model, std::span<T> memory) {
  LIPIZZ_ASSERT(slots_[slot.index].access != Slot::Access::kInternal);
  point(slot, model, memory.data(), memory.size());
}

template <class T>
void Plan<T>::bind(SlotId slot, std::uint32_t model, std::span<const T> memory) {
  LIPIZZ_ASSERT(slots_[slot.index].access == Slot::Access::kRead);
  // Kernels take one type of pointer; nothing writes to a slot that is only read.
  point(slot, model, const_cast<T*>(memory.data()), memory.size());
}

template <class T>
void Plan<T>::run() {
  for (const std::vector<T*>& values : values_) {
    for (const auto& kernel : kernels_) kernel->run(values.data());
  }
}

std::size_t planned_bytes(const Engine& engine, const Graph& graph) {
  std::size_t n = plan_memory(graph, padded<float>(1)).n_elements;
  for (const Slot& slot : graph.slots()) {
    if (slot.access == Slot::Access::kInternal) n += slot.n_elements;
  }
  std::size_t n_bytes = n * sizeof(float);
  for (const ValueId value : graph.live_operations()) n_bytes += kernel_room(engine, graph, value);
  return n_bytes;
}

template class Plan<float>;
template class Plan<double>;

}  // namespace lipizz::nn
