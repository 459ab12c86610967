#include "parallel/cell_pipeline.hpp"

#include <algorithm>
#include <utility>

namespace lipizz::parallel {

std::uint32_t n_stages_of(std::uint32_t n_ranks, std::uint32_t wanted) {
  std::uint32_t n = std::min(wanted, n_ranks);
  while (n_ranks % n != 0) ++n;
  return n;
}

CellPipeline::CellPipeline(RankLink& link, const nn::PipelineSpec& spec)
    : of_replica_(link, spec.n_stages, Group::Of::kReplica),
      of_stage_(link, spec.n_stages, Group::Of::kStage),
      pipeline_{&stages_, &replicas_, spec.schedule, spec.balance, spec.cuts} {}

void CellPipeline::forget_expected() {
  stages_.forget_expected();
  replicas_.forget_expected();
}

RankInCell CellPipeline::Group::self() const {
  const std::uint32_t self = link_.self().value;
  return {of_ == Of::kReplica ? self % n_stages() : self / n_stages()};
}

std::uint32_t CellPipeline::Group::size() const {
  return of_ == Of::kReplica ? n_stages() : link_.size() / n_stages();
}

RankInCell CellPipeline::Group::in_link(RankInCell rank) const {
  const std::uint32_t n = n_stages();
  const std::uint32_t self = link_.self().value;
  return {of_ == Of::kReplica ? self / n * n + rank.value : rank.value * n + self % n};
}

void CellPipeline::Group::send(RankInCell to, Bytes message) {
  link_.send(in_link(to), std::move(message));
}

Bytes CellPipeline::Group::receive(RankInCell from) {
  return link_.receive(in_link(from));
}

}  // namespace lipizz::parallel
