#pragma once

#include <cstdint>
#include <vector>

#include "nn/base/collectives.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/shard.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// The stage of ZeRO that these ranks come to where an optimizer asks for one: a rank alone shares
/// out nothing, nor do ranks with an optimizer that looks at whole tensors (InternalError where
/// gradients are asked for). Those that have different numbers of micro-batches in its step share
/// out moments at most, and gradients at most where they have in its opponent's, which goes through
/// this network, too. In a pipeline ranks are its replicas. Null: there is one rank.
ZeroStage zero_stage(const OptimizerSpec& optimizer, const StepOptions& of_step,
                     const Collectives* ranks);

/// The parts of a network that one of the ranks has which compute a step together.
struct NetworkShare {
  /// Those that it reads, and that lie one after the other in what it has of the network: all of
  /// its stage, or, where these are shared out, its shard of the parameters.
  Shard parameters, statistics;
  /// The parameters that it updates, and whose moments it keeps: its shard, or all of its stage.
  Shard updated;

  /// All that it reads; parts that follow one another are one, and none is empty.
  [[nodiscard]] std::vector<Shard> held() const;
};

/// `stage`: the tensors of the rank's stage. `ranks`: those that have the same stage, of which this
/// is one; null: it is alone. `zero`: what they come to.
NetworkShare network_share(const NetworkStages::Tensors& stage, ZeroStage zero,
                           const Collectives* ranks);

/// The parts of a network, of its average and of its moments, that ranks which compute a step
/// together have. Lists are by rank, as scatter and gather take them.
struct RankParts {
  using OfRanks = std::vector<Shard>;
  /// Those that a rank reads of a network; they lie one after the other in what it has of it.
  std::vector<OfRanks> held;
  /// Those of these whose values after a step the first rank takes from it.
  std::vector<OfRanks> updated;
  /// Those that it reads and updates of each moment, and that the first rank takes from it.
  OfRanks moments, updated_moments;

  /// Elements that a rank has of a network, and of a moment.
  [[nodiscard]] std::size_t n_held(std::uint32_t rank) const;
};

/// `of_step`: of the step that trains it. `stages`: of the network, which ranks that follow one
/// another have in turn.
RankParts rank_parts(const NetworkStages& stages, const OptimizerSpec& optimizer,
                     const StepOptions& of_step, std::uint32_t n_ranks);

}  // namespace lipizz::nn
