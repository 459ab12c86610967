#pragma once

#include <list>
#include <map>
#include <set>

#include "nn/graph/graph.hpp"

namespace lipizz::bench {

/// Bytes that are read or written.
struct Move {
  double bytes = 0;
  double reuse_distance =
      0;  // bytes that a cache has to hold for these to be found in it, at least
};

/// The memory that the operations of a step touch, in their order: how much of it, theirs included,
/// has been touched since an operand was (the stack distance of Mattson et al. 1970). Values that
/// nobody reads any more leave their memory to others.
class ReuseDistances {
 public:
  explicit ReuseDistances(const nn::Graph& graph) : graph_(graph) {}

  /// Before the operations of each step; what the step before has touched is remembered.
  void begin_step();

  [[nodiscard]] std::set<nn::ValueId> inputs_of(nn::ValueId operation) const;

  /// Once for each operation and input.
  Move read(nn::ValueId value);
  /// As if a cache had room for it that nobody needs.
  Move write(nn::ValueId value);

 private:
  // Elements of a slot, or of a value that lies in none.
  struct Range {
    std::size_t memory, begin, end;
    auto operator<=>(const Range&) const = default;

    [[nodiscard]] bool meets(const Range& other) const {
      return memory == other.memory && begin < other.end && other.begin < end;
    }
  };

  [[nodiscard]] Range range_of(nn::ValueId value) const;
  // The distance, for a range that is the last one touched then.
  double touch(const Range& range);

  const nn::Graph& graph_;
  std::map<Range, int> n_reads_;  // that are left in this step
  std::list<Range> touched_;      // the last one first
};

}  // namespace lipizz::bench
