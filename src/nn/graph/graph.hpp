#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/base/activation.hpp"
#include "nn/base/augmentation.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/shape.hpp"

namespace lipizz::nn {

struct ValueId {
  std::uint32_t index = 0;
  auto operator<=>(const ValueId&) const = default;
};

class Collectives;   // nn/base/collectives.hpp
struct Penalty;      // nn/base/penalty.hpp
class SampleSource;  // nn/base/sample_source.hpp

struct SlotId {
  std::uint32_t index = 0;
  auto operator<=>(const SlotId&) const = default;
};

/// The square window of a convolution, alike in both directions.
struct Window {
  std::uint32_t kernel = 1;
  std::uint32_t stride = 1;
  std::uint32_t padding = 0;
  std::uint32_t groups = 1;  // of channels, each convolved to its share of the outputs by itself
  auto operator<=>(const Window&) const = default;
};

/// How the fast engine computes a convolution. `kAuto` is the one that the engine's table or a rule
/// names (nn/cpu/convolution_choice.hpp). Where one does not fit, kIm2col takes its place, for
/// groups kOneDnnPrimitive.
enum class ConvolutionAlgorithm {
  kAuto,
  kIm2col,           // one product with the unfolded windows
  kKn2row,           // a product for each tap of the kernel, added up
  kWinograd,         // minimal filtering, in tiles of 2x2 positions
  kWinograd4,        // the same in tiles of 4x4
  kOneDnnPrimitive,  // the library's own, "onednn" in tables
  kDirect,           // loops over windows
};

/// The attributes of an operation beside its inputs; each uses the fields that its table entry
/// names.
struct Attributes {
  Activation activation = Activation::kNone;
  bool transpose_a = false;
  bool transpose_b = false;
  OptimizerSpec optimizer = {};
  Window window = {};
  ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::kAuto;
  Shape shape = {};
  std::size_t offset = 0;
  std::uint32_t groups = 1;  // equal parts of the rows
  float number = 0;
  float number_change = 0;  // what a schedule has added to it at its end
  Augmentation augmentation = {};
  const Penalty* penalty = nullptr;
  const SampleSource* source = nullptr;
  Collectives* collectives = nullptr;
};

struct Operation;  // nn/graph/operation.hpp

/// A piece of memory that values lie in: the caller's, bound to the plan for each model; the plan's
/// own (zero at the start); or settings, a few numbers that the caller writes into the plan before
/// each run.
struct Slot {
  enum class Access { kRead, kReadWrite, kInternal, kSetting };
  std::string name;
  std::size_t n_elements;
  Access access;
  /// Memory of the host, whatever device computes, which leaves operations on it to the host.
  bool is_on_host = false;
};

/// InternalError naming the slot when memory for it is not of its size.
void check_size(const Slot& slot, std::size_t n_elements);

struct Location {
  SlotId slot;
  std::size_t offset;  // elements
  auto operator<=>(const Location&) const = default;
};

/// One value: a view of a slot (no operation), or the result of an operation.
struct Node {
  const Operation* operation = nullptr;
  std::vector<ValueId> inputs;
  Attributes attributes;
  Shape shape;                       // empty for operations that only update their inputs
  std::optional<Location> location;  // none: it lies in memory of the plan's own
  std::uint32_t branch = 0;          // that an operation is in (Graph::set_branch)
  std::uint32_t stage = 0;           // that computes an operation (Graph::set_stage)
  std::uint32_t n_joint = 0;         // operations up to this one (Graph::differentiate_together)
};

/// A computation for one model, described before anything runs: operations in the order in which
/// they execute. Built once, transformed (nn/graph/gradients.hpp), then planned (nn/cpu/plan.hpp).
///
/// The outermost dimension of a value is the rows of a batch; images are [N, H, W, C].
class Graph {
 public:
  SlotId add_slot(Slot slot);
  SlotId add_slot(std::string name, std::size_t n_elements, Slot::Access access);

  /// The value that lies at `offset` of a slot; the same place and shape is the same value.
  ValueId view(SlotId slot, std::size_t offset, Shape shape);

  /// Appends an operation; its shape rule checks the inputs (InternalError).
  ValueId apply(const Operation& operation, std::vector<ValueId> inputs,
                Attributes attributes = {});

  /// The elements of `value` from `offset` on as another value, without a copy.
  ValueId slice(ValueId value, std::size_t offset, Shape shape);
  /// All of its elements in another shape.
  ValueId reshape(ValueId value, Shape shape);

  /// Makes an operation write its result there, and keeps it alive: how results leave the graph,
  /// and how values are joined without a copy.
  void place(ValueId value, SlotId slot, std::size_t offset);

  /// Operations of one kind that follow one another, `last` and so many in all, are differentiated
  /// as one (Operation::joint_gradient).
  void differentiate_together(ValueId last, std::uint32_t n);

  /// Leaves out what no value lies in before the first and behind the last of those of an internal
  /// slot.
  void trim_internal_slots();

  /// Decides how a convolution is computed.
  void set_algorithm(ValueId convolution, ConvolutionAlgorithm algorithm);

  /// Operations before branches, and after all of them have been joined.
  static constexpr std::uint32_t kTrunk = 0, kAfterJoin = static_cast<std::uint32_t>(-1);
  /// Puts the operations that are appended from now on into a branch, 1 and up, or into one of
  /// these. A plan may compute branches at the same time, once the trunk is done: in the order in
  /// which they were appended all operations compute the same. So those of a branch read results of
  /// the trunk and of their own branch alone, and write where no other branch looks; what is left
  /// of it for operations after the join is placed in slots.
  void set_branch(std::uint32_t branch) { branch_ = branch; }
  [[nodiscard]] std::uint32_t branch() const { return branch_; }
  /// Says which stage of a pipeline computes the operations that are appended from now on
  /// (nn/graph/pipeline_stage.hpp). Gradients are computed where their operations are.
  void set_stage(std::uint32_t stage) { stage_ = stage; }
  [[nodiscard]] std::uint32_t stage() const { return stage_; }

  /// The highest branch that operations are in; 0: there are none.
  [[nodiscard]] std::uint32_t n_branches() const;

  [[nodiscard]] const Node& node(ValueId value) const { return nodes_[value.index]; }
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Slot> slots() const { return slots_; }
  [[nodiscard]] const Shape& shape(ValueId value) const { return node(value).shape; }

  /// The value whose memory this one lies in: its own, but for slices.
  struct Storage {
    ValueId owner;
    std::size_t offset;  // elements
  };
  [[nodiscard]] Storage storage(ValueId value) const;
  /// True where that is memory of the host, whatever device computes (Slot::is_on_host).
  [[nodiscard]] bool is_on_host(ValueId value) const;

  /// For each slot the values that lie in it, and where.
  struct SlotView {
    std::uint32_t node;
    std::size_t offset;  // elements
  };
  [[nodiscard]] std::vector<std::vector<SlotView>> slot_views() const;
  /// Visits those of a slot that lie in so many elements from `first` on, with their offsets there.
  /// InternalError where one lies across an end.
  template <class Visit>
  void for_views_in(SlotId slot, std::span<const SlotView> of_slot, std::size_t first,
                    std::size_t n, const Visit& visit) const {
    for (const SlotView& view : of_slot) {
      const std::size_t end = view.offset + n_elements(shape({view.node}));
      if (end <= first || view.offset >= first + n) continue;
      if (view.offset < first || end > first + n) throw_across(slot);
      visit(SlotView{view.node, view.offset - first});
    }
  }

  /// Indices of the operations that a result or an update depends on, in execution order.
  [[nodiscard]] std::vector<ValueId> live_operations() const;

  /// Multiplications and additions of an operation, and of one run of all that are live.
  [[nodiscard]] std::uint64_t flops(ValueId operation) const;
  [[nodiscard]] std::uint64_t flops() const;
  /// About as many elements as this rank sends to others (Operation::sent).
  [[nodiscard]] std::uint64_t sent(ValueId operation) const;

 private:
  [[nodiscard]] std::vector<Shape> input_shapes(const Node& node) const;
  [[noreturn]] void throw_across(SlotId slot) const;

  std::vector<Slot> slots_;
  std::vector<Node> nodes_;
  std::uint32_t branch_ = kTrunk;
  std::uint32_t stage_ = 0;
};

/// One operation as a graph of its own: its inputs lie in the first slots, its result, if it has
/// one, in the last; all may be read and written.
Graph operation_alone(const Graph& from, ValueId operation);

/// True of operations that a device with memory of its own leaves to the host: collective ones, and
/// those that read memory of the host. They update no more than the first of the inputs that are on
/// the device.
bool is_left_to_host(const Graph& graph, ValueId operation);

}  // namespace lipizz::nn
