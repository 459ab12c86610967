#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/cpu/arena.hpp"
#include "nn/cpu/thread_team.hpp"
#include "nn/graph/graph.hpp"
#include "nn/graph/memory_plan.hpp"

namespace lipizz::nn {

/// A prepared operation of a graph that outlives it: run it on the values of one model, given by
/// node index.
template <class T>
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(T* const* values) = 0;

  /// Elements of workspace, the memory that it needs while it runs and no longer: all kernels of a
  /// plan share it.
  [[nodiscard]] virtual std::size_t n_workspace() const { return 0; }
  virtual void use_workspace(T* /*workspace*/) {}
};

/// Threads for the branches of graphs, and memory, which plans that run in turns share. One thread
/// uses them.
template <class T>
struct PlanResources {
  explicit PlanResources(std::uint32_t n_threads) : team(n_threads), of_members(n_threads) {}

  ThreadTeam team;
  Arena<T> trunk;                    // of what is in no branch
  std::vector<Arena<T>> of_members;  // of the branches that a member of the team computes
};

/// A graph prepared for an engine and a number of models. T is float, or double on the reference
/// backend (gradient checks).
///
/// Models run one after the other, in the same memory for the plan's values
/// (nn/graph/memory_plan.hpp) and with the same kernels, so the bits of a model do not depend on
/// how many there are; nor on the number of threads. run() neither allocates nor looks anything up.
/// One thread uses a plan.
///
/// Values that lie in no slot, and the kernels' workspace, are lost when a run is over: plans may
/// share the memory for them.
template <class T>
class Plan {
 public:
  /// InternalError when the engine's backend lacks a kernel for an operation. `resources`: its own,
  /// with the engine's number of threads, where there are none.
  Plan(const Engine& engine, const Graph& graph, std::uint32_t n_models,
       std::shared_ptr<PlanResources<T>> resources = nullptr);
  Plan(Plan&&) noexcept = default;
  ~Plan();

  /// Says where a slot of one model lies; every slot that is the caller's is bound before run().
  /// `memory` has the slot's size and outlives the runs that use it.
  void bind(SlotId slot, std::uint32_t model, std::span<T> memory);
  /// The same for slots that are only read.
  void bind(SlotId slot, std::uint32_t model, std::span<const T> memory);
  /// The same of the part of a slot that begins at `first`. InternalError where a value lies across
  /// an end of it.
  void bind_part(SlotId slot, std::uint32_t model, std::size_t first, std::span<T> memory);

  /// The settings of that slot for one model; they stay until they are written again.
  std::span<T> setting(SlotId slot, std::uint32_t model);

  void run();

  [[nodiscard]] std::size_t n_kernels() const { return graph_->live_operations().size(); }
  [[nodiscard]] std::uint32_t n_models() const {
    return static_cast<std::uint32_t>(values_.size());
  }

 private:
  using Kernels = std::vector<std::unique_ptr<Kernel<T>>>;
  using Values = std::vector<T*>;  // by node

  /// Operations one after the other, and their part of an arena: workspace, then values.
  struct Sequence {
    Kernels kernels;
    Kernels after_join;  // of the trunk
    Arena<T>* arena = nullptr;
    T* place = nullptr;           // where kernels and values take the arena to be
    std::size_t n_workspace = 0;  // of one kernel at a time
    std::vector<std::pair<std::uint32_t, std::size_t>> offsets;  // of nodes, in the arena
  };

  [[nodiscard]] bool is_forked() const { return !branches_.empty(); }
  void for_branches(const std::function<void(std::uint32_t branch, std::uint32_t member)>& visit);
  void drop_branches();
  void prepare(const Engine& engine, Sequence& sequence, std::uint32_t branch, Arena<T>& arena);
  void lay_out(Sequence& sequence, const MemoryPlan& memory);
  void find(Sequence& sequence);
  void run_branches(const Values& values, std::uint32_t member);
  void give_memory(SlotId slot);
  void point(SlotId slot, std::uint32_t model, T* memory, std::size_t n_elements);

  std::unique_ptr<const Graph> graph_;  // kernels look into it
  std::vector<std::vector<Graph::SlotView>> views_;
  std::shared_ptr<PlanResources<T>> resources_;
  Sequence trunk_;                  // all operations where they are not computed at the same time
  std::vector<Sequence> branches_;  // the first is branch 1
  std::vector<Values> values_;      // per model
  std::vector<Buffer<T>> internal_slots_;
  std::map<std::pair<SlotId, std::uint32_t>, Buffer<T>> settings_;  // by slot and model
};

/// Bytes of a plan of the graph, for any number of models; nothing is prepared to find out. Memory
/// inside the engine's library is not counted.
PlanBytes planned_bytes(const Engine& engine, const Graph& described);

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace lipizz::nn
