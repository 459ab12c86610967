#pragma once

#include <cstdint>

#include "nn/base/collectives.hpp"
#include "nn/base/engine.hpp"

namespace lipizz::nn {

/// The order in which stages take micro-batches.
enum class PipelineSchedule {
  kGpipe,  // all forwards, then all backwards (Huang et al. 2019)
  k1F1B,   // one backward for each forward (Narayanan et al. 2021, "PipeDream-Flush")
};

/// The measure by which stages are cut, so that they are nearly equal.
enum class PipelineBalance {
  kTime,    // what operations cost (nn/graph/operation_cost.hpp)
  kMemory,  // parameters
};

/// Into how many stages each network is cut, at most: the generator into the first ones of a
/// pipeline, the discriminator into the last ones, so that a stage may have layers of one of them
/// alone; 0: into all of them. Where that would leave a stage between them out, the discriminator
/// has it, too.
struct NetworkCuts {
  std::uint32_t generator = 0;
  std::uint32_t discriminator = 0;
};

/// A pipeline, as one of its ranks sees it: each network of a step is cut into stages of layers,
/// and each stage's operations, parameters and values are at the ranks of that stage alone.
/// Micro-batches pass through it one behind the other. Weights are updated once all are through.
struct Pipeline {
  /// The ranks through which the micro-batches of this one pass, one for each stage.
  Collectives* stages = nullptr;
  /// Those that compute this stage, each of other micro-batches.
  Collectives* replicas = nullptr;
  PipelineSchedule schedule = PipelineSchedule::k1F1B;
  PipelineBalance balance = PipelineBalance::kTime;
  NetworkCuts cuts{};

  [[nodiscard]] std::uint32_t n_stages() const { return stages->size(); }
  [[nodiscard]] std::uint32_t stage() const { return stages->rank(); }
  /// The replicas; null where there is one.
  [[nodiscard]] Collectives* other_replicas() const {
    return replicas->size() > 1 ? replicas : nullptr;
  }
  [[nodiscard]] bool is_last() const { return stage() + 1 == n_stages(); }
};

/// How the ranks of a cell are dealt out to pipelines: one replica after the other.
struct PipelineSpec {
  std::uint32_t n_stages = 1;  // 1: there is no pipeline
  PipelineSchedule schedule = PipelineSchedule::k1F1B;
  PipelineBalance balance = PipelineBalance::kTime;
  NetworkCuts cuts{};
};

/// One of the ranks of a cell, none of whom computes: for steps that are described and never run.
class NoCell {
 public:
  NoCell(std::uint32_t n_ranks, std::uint32_t rank, const PipelineSpec& spec)
      : ranks_(n_ranks, rank),
        stages_(spec.n_stages, rank % spec.n_stages),
        replicas_(n_ranks / spec.n_stages, rank / spec.n_stages),
        pipeline_{&stages_, &replicas_, spec.schedule, spec.balance, spec.cuts} {}
  NoCell(const NoCell&) = delete;

  /// The same engine at that rank; this outlives it.
  [[nodiscard]] Engine engine(Engine engine) {
    engine.collectives = &ranks_;
    engine.pipeline = &pipeline_;
    return engine;
  }

 private:
  NoRanks ranks_, stages_, replicas_;
  Pipeline pipeline_;
};

/// The pipeline of an engine; null where there is none, or one of a single stage.
inline const Pipeline* pipeline_of(const Engine& engine) {
  return engine.pipeline != nullptr && engine.pipeline->n_stages() > 1 ? engine.pipeline : nullptr;
}

}  // namespace lipizz::nn
