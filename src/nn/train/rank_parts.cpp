#include "nn/train/rank_parts.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace lipizz::nn {

ZeroStage zero_stage(const OptimizerSpec& optimizer, const StepOptions& of_step,
                     const Collectives* ranks) {
  if (ranks == nullptr || ranks->size() == 1) return ZeroStage::kNothing;
  if (optimizer.zero <= ZeroStage::kMoments) {
    return optimizer.shares_updates() ? ZeroStage::kMoments : ZeroStage::kNothing;
  }
  if (!optimizer.shares_updates()) {
    throw InternalError("an optimizer that looks at whole tensors does not share out gradients");
  }
  if (of_step.n_micro_batches % ranks->size() != 0) return ZeroStage::kMoments;
  return of_step.n_common_micro_batches() % ranks->size() == 0 ? optimizer.zero
                                                               : ZeroStage::kGradients;
}

std::vector<Shard> NetworkShare::held() const {
  std::vector<Shard> parts{parameters, statistics};
  if (parameters.end() == statistics.first) {
    parts = {{parameters.first, parameters.n + statistics.n}};
  }
  std::erase_if(parts, [](const Shard& part) { return part.n == 0; });
  return parts;
}

NetworkShare network_share(const NetworkStages::Tensors& stage, ZeroStage zero,
                           const Collectives* ranks) {
  const Shard& all = stage.parameters;
  if (ranks == nullptr || zero == ZeroStage::kNothing) return {all, stage.statistics, all};
  const Shard own = shard_of(all, ranks->rank(), ranks->size());
  return {zero == ZeroStage::kParameters ? own : all, stage.statistics, own};
}

std::size_t RankParts::n_held(std::uint32_t rank) const {
  std::size_t n = 0;
  for (const OfRanks& part : held) n += part[rank].n;
  return n;
}

// Replicas of a stage have the same values of what they do not share out.
RankParts rank_parts(const NetworkStages& stages, const OptimizerSpec& optimizer,
                     const StepOptions& of_step, std::uint32_t n_ranks) {
  const auto n_stages = static_cast<std::uint32_t>(stages.tensors.size());
  RankParts parts{std::vector<RankParts::OfRanks>(2), std::vector<RankParts::OfRanks>(2), {}, {}};
  for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
    const NoRanks replicas(n_ranks / n_stages, rank / n_stages);
    const ZeroStage zero = zero_stage(optimizer, of_step, &replicas);
    const NetworkShare own = network_share(stages.tensors[rank % n_stages], zero, &replicas);
    const auto if_own = [&](const Shard& part, ZeroStage shared_from) {
      return replicas.rank() == 0 || zero >= shared_from ? part : Shard{};
    };
    parts.held[0].push_back(own.parameters);
    parts.held[1].push_back(own.statistics);
    parts.updated[0].push_back(if_own(own.parameters, ZeroStage::kParameters));
    parts.updated[1].push_back(replicas.rank() == 0 ? own.statistics : Shard{});
    parts.moments.push_back(own.updated);
    parts.updated_moments.push_back(if_own(own.updated, ZeroStage::kMoments));
  }
  return parts;
}

}  // namespace lipizz::nn
