#pragma once

#include <cstdint>
#include <vector>

#include "nn/base/optimizer.hpp"
#include "nn/base/shard.hpp"
#include "nn/network/network_stages.hpp"

namespace lipizz::nn {

/// The parts of a network, of its average and of its moments, that ranks which compute a step
/// together have. Lists are by rank, as scatter and gather take them.
struct RankParts {
  using OfRanks = std::vector<Shard>;
  /// Those that a rank reads of a network; they lie one after the other in what it has of it.
  std::vector<OfRanks> held;
  /// Those that it updates and the first rank does not.
  std::vector<OfRanks> updated;
  /// Those that it reads and updates of each moment (own_shard), and that the first rank does not.
  OfRanks moments, updated_moments;

  /// Elements that a rank has of a network, and of a moment.
  [[nodiscard]] std::size_t n_held(std::uint32_t rank) const;
};

/// `n_micro_batches`: of a batch. `stages`: of the network in a pipeline, in which ranks that
/// follow one another have them in turn; null: there is none.
RankParts rank_parts(const NetworkSpec& network, const OptimizerSpec& optimizer,
                     std::uint32_t n_micro_batches, std::uint32_t n_ranks,
                     const NetworkStages* stages = nullptr);

}  // namespace lipizz::nn
