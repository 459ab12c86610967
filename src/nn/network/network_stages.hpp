#pragma once

#include <cstdint>
#include <vector>

#include "nn/base/pipeline.hpp"
#include "nn/base/shard.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn {

/// The layers of a network dealt out to the stages of a pipeline, in order.
struct NetworkStages {
  /// Where a stage's tensors lie in the network's buffer (ParameterLayout).
  struct Tensors {
    Shard parameters;
    Shard statistics;
  };
  std::vector<std::uint32_t> of_layer;  // none: all layers are at the first one
  std::vector<Tensors> tensors;         // of each stage

  /// That of the first layer, and so of its inputs.
  [[nodiscard]] std::uint32_t first() const { return of_layer.empty() ? 0 : of_layer.front(); }
};

/// A network that is not cut; what is padding counts as statistics.
NetworkStages in_one_stage(const NetworkSpec& network);

struct PairStages {
  NetworkStages generator;
  NetworkStages discriminator;
};

/// Both networks cut so that the stages have alike what they compute in a step of the one and in
/// one of the other together, or parameters. Both networks of a stage count together: where one
/// cannot be cut evenly, the other makes up for it. Each stage has a layer of both, but where there
/// are more stages than layers, or `cuts` says otherwise.
PairStages pair_stages(const GanSpec& gan, std::uint32_t n_stages,
                       PipelineBalance balance = PipelineBalance::kTime,
                       const NetworkCuts& cuts = {});

/// As this pipeline cuts them; null: networks are not cut.
PairStages pair_stages(const GanSpec& gan, const Pipeline* pipeline);

}  // namespace lipizz::nn
