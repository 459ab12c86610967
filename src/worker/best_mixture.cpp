#include "worker/best_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "worker/metrics_line.hpp"

namespace lipizz::worker {
namespace {

std::unique_ptr<const KeptMixture> kept(coev::Island& island, const coev::CellReport& report) {
  auto mixture = std::make_unique<KeptMixture>();
  mixture->cell = report.cell;
  mixture->generation = report.generation;
  mixture->score = told_score(report);
  mixture->members = island.mixture_generators(report.cell);
  mixture->examples = island.mixture_examples(report.cell, kMixtureExamples);
  return mixture;
}

}  // namespace

void BestMixture::keep_if_better(coev::Island& island, const coev::CellReport& report) {
  const bool is_better =
      kept_.empty() ? !std::isnan(report.score) : told_score(report) < kept_.back()->score;
  if (!is_better) return;
  if (!kept_.empty() && kept_.back()->generation > told_) kept_.pop_back();
  kept_.push_back(kept(island, report));
}

void BestMixture::settle(Generation told) {
  told_ = std::max(told_, told);
  const auto beyond =
      std::ranges::find_if(kept_, [&](const auto& mixture) { return mixture->generation > told_; });
  if (std::distance(kept_.begin(), beyond) > 1) kept_.erase(kept_.begin(), std::prev(beyond));
}

void BestMixture::go_back(Generation generation) {
  std::erase_if(kept_, [&](const auto& mixture) { return mixture->generation > generation; });
  told_ = std::min(told_, generation);
}

const KeptMixture* BestMixture::find(CellId cell, Generation generation) const {
  const auto found = std::ranges::find_if(kept_, [&](const auto& mixture) {
    return mixture->cell == cell && mixture->generation == generation;
  });
  return found == kept_.end() ? nullptr : found->get();
}

// Its generators share their arrays with the cells until these go on; two may be there.
std::size_t BestMixture::bytes(std::size_t generator_bytes, std::size_t sample_size,
                               std::size_t n_members) {
  return 2 * n_members * (generator_bytes + kMixtureExamples * sample_size * sizeof(float));
}

}  // namespace lipizz::worker
