#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "report/finished_run.hpp"

namespace lipizz::sweep {

/// Scores must have all of this in common to be averaged, or ranked.
struct ScoreKind {
  std::string metric;
  std::string judge;  // a hash
  std::uint32_t n_samples = 0;
  std::string numerics;
  auto operator<=>(const ScoreKind&) const = default;
};

inline ScoreKind kind_of(const report::FinishedRun& run) {
  return {.metric = run.score.metric,
          .judge = run.score.judge,
          .n_samples = run.score.n_samples,
          .numerics = run.numerics};
}

/// `frechet (judge 0123456789abcdef, 10000 samples, numerics avx2)`
std::string described(const ScoreKind& kind);

}  // namespace lipizz::sweep
