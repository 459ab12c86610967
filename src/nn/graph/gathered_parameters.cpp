#include "nn/graph/gathered_parameters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "nn/graph/graph_copy.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

// A bucket that so many operations have not read is gathered again by the next one that does.
constexpr std::size_t kFar = 4;

// Works on any part of the parameters by itself, and is described on what this rank holds.
bool works_on_shards(const Operation& operation) {
  static constexpr std::array kAll{&kOptimizerStep, &kWeightClip, &kUpdateEma};
  return std::ranges::find(kAll, &operation) != kAll.end();
}

class Gathering {
 public:
  Gathering(const Graph& from, std::span<const ShardedParameters> sharded, Collectives& ranks)
      : from_(from), sharded_(sharded), ranks_(ranks), copy_(from) {}

  Graph all() {
    for (const ValueId operation : from_.live_operations()) {
      copy_.go_to(operation);
      const bool gathers = !works_on_shards(*from_.node(operation).operation);
      for (const ValueId input : from_.node(operation).inputs) {
        const ValueId owner = from_.storage(input).owner;
        const std::optional<std::size_t> where = sharded_at(owner);
        if (!where) continue;
        gathers ? copy_.replace(owner, gathered(*where, owner)) : copy_.forget(owner);
      }
      copy_.copy(operation);
      ++n_added_;
    }
    return std::move(copy_.graph());
  }

 private:
  struct Gathered {
    ValueId value;
    std::size_t last_read;
  };

  // Which of the sharded networks this is a parameter of.
  [[nodiscard]] std::optional<std::size_t> sharded_at(ValueId value) const {
    const Node& node = from_.node(value);
    if (node.operation != nullptr || !node.location) return std::nullopt;
    const auto found = std::ranges::find(sharded_, node.location->slot, &ShardedParameters::slot);
    if (found == sharded_.end() || node.location->offset >= found->n) return std::nullopt;
    return static_cast<std::size_t>(found - sharded_.begin());
  }

  // A tensor, as part of its bucket.
  ValueId gathered(std::size_t network, ValueId tensor) {
    const auto& [slot, n, buckets] = sharded_[network];
    const std::size_t offset = from_.node(tensor).location->offset;
    const auto bucket = *std::prev(std::ranges::upper_bound(buckets, offset, {}, &Shard::first));
    const Shape& shape = from_.shape(tensor);
    LIPIZZ_ASSERT(offset + n_elements(shape) <= bucket.end());
    const auto [known, is_new] = gathered_.try_emplace({network, bucket.first});
    Gathered& of_bucket = known->second;
    if (is_new || n_added_ - of_bucket.last_read > kFar) {
      of_bucket.value =
          gather(slot, intersection(shard_of(n, ranks_.rank(), ranks_.size()), bucket), bucket.n);
    }
    of_bucket.last_read = n_added_;
    return copy_.graph().slice(of_bucket.value, offset - bucket.first, shape);
  }

  ValueId gather(SlotId slot, const Shard& own, std::size_t n) {
    std::vector<ValueId> inputs;
    if (own.n > 0) {
      inputs.push_back(copy_.graph().view(slot, own.first, {static_cast<std::uint32_t>(own.n)}));
    }
    return copy_.graph().apply(kGatherShards, std::move(inputs),
                               {.shape = {static_cast<std::uint32_t>(n)}, .collectives = &ranks_});
  }

  const Graph& from_;
  std::span<const ShardedParameters> sharded_;
  Collectives& ranks_;
  GraphCopy copy_;
  std::map<std::pair<std::size_t, std::size_t>, Gathered> gathered_;  // by network and bucket
  std::size_t n_added_ = 0;                                           // operations
};

}  // namespace

Graph with_gathered_parameters(const Graph& graph, std::span<const ShardedParameters> sharded,
                               Collectives& ranks) {
  return Gathering(graph, sharded, ranks).all();
}

}  // namespace lipizz::nn
