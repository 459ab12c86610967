#include "nn/cpu/plan.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/check.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {
namespace {

// With the algorithm of every convolution chosen.
Graph settled(const Engine& engine, Graph graph) {
  choose_algorithms(engine, graph);
  return graph;
}

// The member of a team of so many that computes a branch, 1 and up.
std::uint32_t member_of(std::uint32_t branch, std::uint32_t n_members) {
  return (branch - 1) % n_members;
}

}  // namespace

template <class T>
Plan<T>::Plan(const Engine& engine, const Graph& described, std::uint32_t n_models,
              std::shared_ptr<PlanResources<T>> resources)
    : graph_(std::make_unique<const Graph>(settled(engine, described))),
      views_(graph_->slot_views()),
      resources_(resources ? std::move(resources)
                           : std::make_shared<PlanResources<T>>(engine.n_threads)),
      branches_(resources_->team.size() > 1 ? graph_->n_branches() : 0),
      values_(n_models, Values(graph_->nodes().size(), nullptr)) {
  prepare(engine, trunk_, Graph::kTrunk, resources_->trunk);
  try {
    for_branches([&](std::uint32_t branch, std::uint32_t member) {
      prepare(engine, branches_[branch - 1], branch, resources_->of_members[member]);
    });
  } catch (...) {
    drop_branches();
    throw;
  }
  for (std::uint32_t i = 0; i < graph_->slots().size(); ++i) give_memory({i});
}

template <class T>
Plan<T>::~Plan() {
  drop_branches();
}

// A primitive of oneDNN is made, used and ended by one thread, whose memory it may share.
template <class T>
void Plan<T>::for_branches(const std::function<void(std::uint32_t, std::uint32_t)>& visit) {
  if (!is_forked()) return;
  resources_->team.run([&](std::uint32_t member) {
    for (std::uint32_t branch = 1; branch <= branches_.size(); ++branch) {
      if (member_of(branch, resources_->team.size()) == member) visit(branch, member);
    }
  });
}

template <class T>
void Plan<T>::drop_branches() {
  for_branches([&](std::uint32_t branch, std::uint32_t) { branches_[branch - 1].kernels.clear(); });
}

template <class T>
void Plan<T>::prepare(const Engine& engine, Sequence& sequence, std::uint32_t branch,
                      Arena<T>& arena) {
  const Graph& graph = *graph_;
  sequence.arena = &arena;
  for (const ValueId value : graph.live_operations()) {
    const std::uint32_t found = graph.node(value).branch;
    const bool is_after = is_forked() && found == Graph::kAfterJoin && branch == Graph::kTrunk;
    if (is_forked() && found != branch && !is_after) continue;
    Kernels& kernels = is_after ? sequence.after_join : sequence.kernels;
    kernels.push_back(make_kernel<T>(engine, graph, value));
    sequence.n_workspace = std::max(sequence.n_workspace, padded<T>(kernels.back()->n_workspace()));
  }
  lay_out(sequence, is_forked() ? plan_memory_of(graph, branch, padded<T>(1))
                                : plan_memory(graph, padded<T>(1)));
}

template <class T>
void Plan<T>::lay_out(Sequence& sequence, const MemoryPlan& memory) {
  for (std::uint32_t i = 0; i < graph_->nodes().size(); ++i) {
    const auto [owner, offset] = graph_->storage({i});
    const std::size_t first = memory.offsets[owner.index];
    if (first == MemoryPlan::kNowhere) continue;
    sequence.offsets.emplace_back(i, sequence.n_workspace + first + offset);
  }
  sequence.arena->reserve(sequence.n_workspace + memory.n_elements);
  find(sequence);
}

// Another plan may have made the arena larger, and so moved it.
template <class T>
void Plan<T>::find(Sequence& sequence) {
  if (sequence.place == sequence.arena->data()) return;
  sequence.place = sequence.arena->data();
  for (const Kernels* kernels : {&sequence.kernels, &sequence.after_join}) {
    for (const auto& kernel : *kernels) kernel->use_workspace(sequence.place);
  }
  for (Values& values : values_) {
    for (const auto& [node, offset] : sequence.offsets) values[node] = sequence.place + offset;
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
void Plan<T>::bind_part(SlotId slot, std::uint32_t model, std::size_t first, std::span<T> memory) {
  graph_->for_views_in(slot, views_[slot.index], first, memory.size(),
                       [&](const Graph::SlotView& view) {
                         values_[model][view.node] = memory.data() + view.offset;
                       });
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
void Plan<T>::run_branches(const Values& values, std::uint32_t member) {
  const std::uint32_t n_members = resources_->team.size();
  for (std::uint32_t i = member; i < branches_.size(); i += n_members) {
    for (const auto& kernel : branches_[i].kernels) kernel->run(values.data());
  }
}

template <class T>
void Plan<T>::run() {
  find(trunk_);
  for (Sequence& branch : branches_) find(branch);
  for (const Values& values : values_) {
    for (const auto& kernel : trunk_.kernels) kernel->run(values.data());
    if (!is_forked()) continue;
    resources_->team.run([&](std::uint32_t member) { run_branches(values, member); });
    for (const auto& kernel : trunk_.after_join) kernel->run(values.data());
  }
}

namespace {

// The values of that memory, and the workspace of those operations.
std::size_t arena_bytes(const Engine& engine, const Graph& graph, const MemoryPlan& memory,
                        const std::function<bool(std::uint32_t branch)>& is_counted) {
  std::size_t workspace = 0;
  for (const ValueId value : graph.live_operations()) {
    if (!is_counted(graph.node(value).branch)) continue;
    workspace = std::max(workspace, kernel_workspace_bytes(engine, graph, value));
  }
  return workspace + memory.n_elements * sizeof(float);
}

std::vector<std::size_t> arenas_of(const Engine& engine, const Graph& graph) {
  constexpr std::size_t kStep = padded<float>(1);
  const std::uint32_t n_branches = engine.n_threads > 1 ? graph.n_branches() : 0;
  if (n_branches == 0) {
    return {
        arena_bytes(engine, graph, plan_memory(graph, kStep), [](std::uint32_t) { return true; })};
  }
  std::vector<std::size_t> arenas(1 + engine.n_threads, 0);
  arenas[0] = arena_bytes(
      engine, graph, plan_memory_of(graph, Graph::kTrunk, kStep),
      [](std::uint32_t branch) { return branch == Graph::kTrunk || branch == Graph::kAfterJoin; });
  for (std::uint32_t branch = 1; branch <= n_branches; ++branch) {
    std::size_t& of_member = arenas[1 + member_of(branch, engine.n_threads)];
    of_member =
        std::max(of_member, arena_bytes(engine, graph, plan_memory_of(graph, branch, kStep),
                                        [&](std::uint32_t found) { return found == branch; }));
  }
  return arenas;
}

// Elements of the largest operation that is left to the host, all that it reads and makes.
std::size_t n_exchanged(const Graph& graph) {
  std::size_t most = 0;
  for (const ValueId value : graph.live_operations()) {
    if (!is_left_to_host(graph, value)) continue;
    const Node& node = graph.node(value);
    std::size_t n = node.operation->updates_inputs ? 0 : n_elements(node.shape);
    for (const ValueId input : node.inputs) {
      if (!graph.is_on_host(input)) n += n_elements(graph.shape(input));
    }
    most = std::max(most, n);
  }
  return most;
}

}  // namespace

PlanBytes planned_bytes(const Engine& engine, const Graph& described) {
  const Graph graph = settled(engine, described);
  std::size_t n_kept = 0;
  for (const Slot& slot : graph.slots()) {
    if (slot.access == Slot::Access::kInternal || slot.access == Slot::Access::kSetting) {
      n_kept += slot.n_elements;
    }
  }
  return {.kept = n_kept * sizeof(float),
          .arenas = arenas_of(engine, graph),
          .exchanged = n_exchanged(graph) * sizeof(float)};
}

template class Plan<float>;
template class Plan<double>;

}  // namespace lipizz::nn
