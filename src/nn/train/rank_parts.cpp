#include "nn/train/rank_parts.hpp"

#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {
namespace {

using OfRanks = RankParts::OfRanks;

RankParts without_stages(const NetworkSpec& network, const OptimizerSpec& optimizer,
                         std::uint32_t n_micro_batches, std::uint32_t n_ranks) {
  const ParameterLayout layout = parameter_layout(network);
  RankParts parts;
  for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
    const NoRanks ranks(n_ranks, rank);
    parts.moments.push_back(own_shard(network, optimizer, &ranks));
  }
  // Where each rank makes the whole update, so does the first.
  parts.updated_moments = optimizer.shares_updates() ? parts.moments : OfRanks(n_ranks);
  const NoRanks ranks(n_ranks);
  if (zero_stage(optimizer, n_micro_batches, &ranks) < ZeroStage::kParameters) {
    parts.held = {OfRanks(n_ranks, Shard{0, layout.n_padded})};
    return parts;
  }
  const Shard statistics{layout.n_parameters, layout.n_padded - layout.n_parameters};
  parts.held = {parts.moments, OfRanks(n_ranks, statistics)};
  parts.updated = {parts.moments, OfRanks(n_ranks)};
  return parts;
}

// Replicas of a pipeline make the same updates.
OfRanks of_first_replica(OfRanks parts, std::uint32_t n_stages) {
  for (std::size_t rank = n_stages; rank < parts.size(); ++rank) parts[rank] = {};
  return parts;
}

}  // namespace

std::size_t RankParts::n_held(std::uint32_t rank) const {
  std::size_t n = 0;
  for (const OfRanks& part : held) n += part[rank].n;
  return n;
}

RankParts rank_parts(const NetworkSpec& network, const OptimizerSpec& optimizer,
                     std::uint32_t n_micro_batches, std::uint32_t n_ranks,
                     const NetworkStages* stages) {
  if (stages == nullptr) return without_stages(network, optimizer, n_micro_batches, n_ranks);
  const auto n_stages = static_cast<std::uint32_t>(stages->tensors.size());
  RankParts parts;
  OfRanks statistics;
  for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
    const NetworkStages::Tensors& own = stages->tensors[rank % n_stages];
    parts.moments.push_back(own.parameters);
    statistics.push_back(own.statistics);
  }
  parts.held = {parts.moments, statistics};
  for (const OfRanks& part : parts.held) {
    parts.updated.push_back(of_first_replica(part, n_stages));
  }
  parts.updated_moments = of_first_replica(parts.moments, n_stages);
  return parts;
}

}  // namespace lipizz::nn
