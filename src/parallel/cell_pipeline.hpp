#pragma once

#include <cstdint>
#include <string_view>

#include "nn/base/pipeline.hpp"
#include "parallel/cell_collectives.hpp"
#include "parallel/rank_link.hpp"

namespace lipizz::parallel {

/// The number of stages of a pipeline on so many ranks: the least from `wanted` on that they can be
/// dealt out to. So no more micro-batches are computed at the same time when ranks are lost.
std::uint32_t n_stages_of(std::uint32_t n_ranks, std::uint32_t wanted);

/// The ranks of a cell as a pipeline and its replicas: n stages are n ranks that follow one
/// another, and so are the next n. Ranks of its link may change between steps.
class CellPipeline {
 public:
  /// The link must outlive it. It stays where it is.
  CellPipeline(RankLink& link, const nn::PipelineSpec& spec);
  CellPipeline(const CellPipeline&) = delete;

  [[nodiscard]] const nn::Pipeline& pipeline() const { return pipeline_; }
  /// CellCollectives::forget_expected(), of both.
  void forget_expected();

 private:
  // Every so-many-th of the ranks of a link.
  class Group final : public RankLink {
   public:
    enum class Of { kReplica, kStage };
    Group(RankLink& link, std::uint32_t n_stages, Of of)
        : link_(link), n_stages_(n_stages), of_(of) {}
    [[nodiscard]] RankInCell self() const override;
    [[nodiscard]] std::uint32_t size() const override;
    void send(RankInCell to, Bytes message) override;
    [[nodiscard]] Bytes receive(RankInCell from) override;
    void begin_collective(std::string_view name) override { link_.begin_collective(name); }

   private:
    [[nodiscard]] std::uint32_t n_stages() const { return n_stages_of(link_.size(), n_stages_); }
    [[nodiscard]] RankInCell in_link(RankInCell rank) const;
    RankLink& link_;
    std::uint32_t n_stages_;
    Of of_;
  };

  Group of_replica_, of_stage_;
  CellCollectives stages_{of_replica_}, replicas_{of_stage_};
  nn::Pipeline pipeline_;
};

}  // namespace lipizz::parallel
