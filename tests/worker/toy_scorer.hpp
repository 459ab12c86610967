#pragma once

#include "metrics/scorer.hpp"

namespace lipizz::worker {

/// A scorer that nobody asks for anything.
struct ToyScorer final : metrics::Scorer {
  std::string_view metric() const override { return "toy"; }
  std::uint32_t n_features() const override { return 1; }
  void features(std::span<const float>, std::span<float>) override {}
  metrics::Statistics statistics(std::span<const float>) const override { return {}; }
  metrics::Score score(const metrics::Statistics&) const override { return {0.5, {}, {}}; }
  metrics::Score held_out_score(const metrics::Statistics& s) override { return score(s); }
  std::vector<float> test_features(std::uint32_t n) override { return std::vector<float>(n); }
  std::uint64_t judge_hash() const override { return 0; }
};

}  // namespace lipizz::worker
