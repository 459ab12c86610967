#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "nn/base/collectives.hpp"
#include "nn/base/shard.hpp"
#include "nn/graph/graph.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {

/// The parameters of a range, which is one of whole tensors, in runs of whole tensors that are
/// large enough for a message, in their order.
std::vector<Shard> parameter_buckets(const ParameterLayout& layout, const Shard& range);

/// Adds up gradients of several ranks while the next ones are computed, and keeps this rank's shard
/// of the sums alone (ZeRO's stage 2). A bucket is sent as soon as all of its tensors have their
/// gradients, and added up when the next one has been sent, of the next row if it is the last one:
/// until then those of other ranks are on their way. All ranks add as many rows, in the same order
/// of tensors. A rank that has no shard of some buckets waits for nobody there.
class GradientBuckets {
 public:
  /// The references must outlive it. `range`: of the parameters, whole tensors, which these ranks
  /// share out. `sums`: a slot of sums of all parameters, in which this rank's shard is.
  GradientBuckets(Graph& graph, const ParameterLayout& layout, const Shard& range, SlotId sums,
                  Collectives& ranks);

  /// The gradient of a tensor by one of this rank's micro-batches. The sums are those of
  /// all ranks' first ones, in the order of ranks, then those of their second ones, and so on.
  void add(std::uint32_t row, std::size_t tensor, ValueId gradient);
  /// Appends what is left. Once, when all have been added.
  void finish();

 private:
  struct Row {
    std::map<std::size_t, ValueId> gradients;  // by their places among the parameters
    std::size_t n = 0;                         // elements of these
  };
  struct Bucket {
    Shard range;
    std::vector<Row> rows{};
    std::uint32_t n_sent = 0;  // rows
  };
  struct Sent {
    std::size_t first;  // of the bucket
    bool is_first_row;
    std::vector<ValueId> gradients;
  };

  [[nodiscard]] Bucket& bucket_of(std::size_t offset);
  [[nodiscard]] Attributes attributes_of(const Sent& sent) const;
  void send(Bucket& bucket);
  void add_up(const Sent& sent);

  Graph& graph_;
  const ParameterLayout& layout_;
  Shard range_;
  SlotId sums_;
  Collectives& ranks_;
  std::vector<Bucket> buckets_;
  std::optional<Sent> sent_;  // and not added up yet
};

}  // namespace lipizz::nn
