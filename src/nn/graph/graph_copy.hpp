#pragma once

#include <optional>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// A graph that is made of another one, operation after operation: how passes rewrite graphs. It
/// has the same slots, and views of them and slices are made where they are read.
class GraphCopy {
 public:
  /// `from` must outlive it.
  explicit GraphCopy(const Graph& from);

  /// Appends an operation of the other graph, its inputs, unless others are given, as they are
  /// here, in the same branch and stage and, unless told not to, placed in the same slot.
  ValueId copy(ValueId operation);
  ValueId copy_to_nowhere(ValueId operation, std::vector<ValueId> inputs);

  /// The value of the other graph as it is here. InternalError where it lies in no slot and has not
  /// been made.
  ValueId here(ValueId value);
  /// From now on another value stands for that one.
  void replace(ValueId value, ValueId by);
  /// The opposite, of a value that lies in a slot: it is read from there.
  void forget(ValueId value) { made_[value.index].reset(); }
  /// The inputs of an operation, as they are here.
  std::vector<ValueId> inputs_of(ValueId operation);
  /// Puts what is appended from now on where an operation is (Graph::set_branch, set_stage).
  void go_to(ValueId operation);

  Graph& graph() { return graph_; }

 private:
  const Graph& from_;
  Graph graph_;
  std::vector<std::optional<ValueId>> made_;  // results of the other graph's operations
};

}  // namespace lipizz::nn
