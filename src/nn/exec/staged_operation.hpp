#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// An operation that a device with memory of its own leaves to the host (is_left_to_host() in
/// nn/graph/graph.hpp): its inputs are copied to the host, but for those that are there, the
/// fastest kernel of this build computes it, and its results are copied back. So any device has all
/// collective operations, ranks may share one (docs/adr/0058), and moments need not be on it
/// (docs/adr/0059).
class StagedOperation {
 public:
  /// A value that is copied, and where it lies on the host; in elements.
  struct Copy {
    ValueId value;
    std::size_t place = 0, n = 0;
  };

  StagedOperation(const Graph& graph, ValueId operation);

  /// Memory of the host for one model, in elements.
  [[nodiscard]] std::size_t n_elements() const { return n_; }
  /// Those that come to the host before run().
  [[nodiscard]] std::span<const Copy> inputs() const;
  /// Those that go back behind it.
  [[nodiscard]] std::span<const Copy> outputs() const;
  /// Inputs that are on the host already, and stay there.
  [[nodiscard]] std::span<const ValueId> on_host() const { return on_host_; }
  /// True where no rank is waited for and nothing goes back: the device may be ahead of it.
  [[nodiscard]] bool only_sends() const;

  /// Computes it for one model, whose copies lie at `host`, and the inputs that are there where
  /// `on_host` says. Throws what the collectives throw.
  void run(float* host, std::span<float* const> on_host = {});

 private:
  [[nodiscard]] const Operation& record() const;

  std::unique_ptr<const Graph> alone_;
  ValueId value_;                 // the operation in it
  std::vector<Copy> copies_;      // of the inputs, then of the result if there is one
  std::vector<ValueId> on_host_;  // inputs without a copy
  std::vector<bool> is_on_host_;  // of each input
  std::unique_ptr<Kernel<float>> kernel_;
  Buffer<float> workspace_;
  std::size_t n_ = 0;
};

}  // namespace lipizz::nn
