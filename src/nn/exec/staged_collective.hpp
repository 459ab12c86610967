#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// A collective operation on a device that has memory of its own: its inputs are copied to the
/// host, ranks exchange them there as those of processors do, and its results are copied back. So
/// any device has all of them, and ranks may share one (docs/adr/0058).
class StagedCollective {
 public:
  /// A value that is copied, and where it lies on the host; in elements.
  struct Copy {
    ValueId value;
    std::size_t place = 0, n = 0;
  };

  StagedCollective(const Graph& graph, ValueId operation);

  /// Memory of the host for one model, in elements.
  [[nodiscard]] std::size_t n_elements() const { return n_; }
  /// Those that come to the host before run().
  [[nodiscard]] std::span<const Copy> inputs() const;
  /// Those that go back behind it.
  [[nodiscard]] std::span<const Copy> outputs() const;
  /// True where no rank is waited for and nothing goes back: the device may be ahead of it.
  [[nodiscard]] bool only_sends() const;

  /// Takes part for one model, whose values lie at `host`. Throws what the collectives throw.
  void run(float* host) const;

 private:
  [[nodiscard]] const Operation& record() const;

  Graph alone_;
  ValueId value_;             // the operation in it
  std::vector<Copy> copies_;  // of the inputs, then of the result if there is one
  std::size_t n_inputs_ = 0;
  std::size_t n_ = 0;
};

}  // namespace lipizz::nn
