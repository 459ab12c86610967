#include "nn/graph/gathered_parameters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
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
  static constexpr std::array kAll{&kOptimizerStep, &kClip, &kUpdateEma};
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
        const std::optional<Place> place = place_of(owner);
        if (!place) continue;
        gathers ? copy_.replace(owner, gathered(*place, owner)) : copy_.forget(owner);
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

  // Where a value is, if it is a tensor that is gathered.
  struct Place {
    std::size_t network;
    const SharedRange& bucket;
  };

  [[nodiscard]] std::optional<Place> place_of(ValueId value) const {
    const Node& node = from_.node(value);
    if (node.operation != nullptr || !node.location) return std::nullopt;
    const auto found = std::ranges::find(sharded_, node.location->slot, &ShardedParameters::slot);
    if (found == sharded_.end()) return std::nullopt;
    const std::size_t offset = node.location->offset;
    const auto behind = std::ranges::upper_bound(
        found->buckets, offset, {}, [](const auto& bucket) { return bucket.all.first; });
    if (behind == found->buckets.begin()) return std::nullopt;
    const auto bucket = std::prev(behind);
    if (offset >= bucket->all.end()) return std::nullopt;
    return Place{static_cast<std::size_t>(found - sharded_.begin()), *bucket};
  }

  // A tensor, as part of its bucket.
  ValueId gathered(const Place& place, ValueId tensor) {
    const auto& [all, own] = place.bucket;
    const std::size_t offset = from_.node(tensor).location->offset;
    const Shape& shape = from_.shape(tensor);
    LIPIZZ_ASSERT(offset + n_elements(shape) <= all.end());
    const auto [known, is_new] =
        gathered_.try_emplace({copy_.graph().branch(), place.network, all.first});
    Gathered& of_bucket = known->second;
    if (is_new || n_added_ - of_bucket.last_read > kFar) {
      of_bucket.value = gather(sharded_[place.network].slot, own, all.n);
    }
    of_bucket.last_read = n_added_;
    return copy_.graph().slice(of_bucket.value, offset - all.first, shape);
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
  // By branch, network and bucket.
  std::map<std::tuple<std::uint32_t, std::size_t, std::size_t>, Gathered> gathered_;
  std::size_t n_added_ = 0;  // operations
};

}  // namespace

Graph with_gathered_parameters(const Graph& graph, std::span<const ShardedParameters> sharded,
                               Collectives& ranks) {
  return Gathering(graph, sharded, ranks).all();
}

}  // namespace lipizz::nn
