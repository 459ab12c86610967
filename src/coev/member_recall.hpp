#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/scorer.hpp"

namespace lipizz::coev {

/// The recall of a mixture's members (metrics::Manifold), against the first test samples: as many
/// as there are of a member, kMostRecallRows at most, since it costs the product of both.
inline constexpr std::uint32_t kMostRecallRows = 1000;
class MemberRecall {
 public:
  /// The scorer must outlive it.
  explicit MemberRecall(metrics::Scorer& scorer) : scorer_(scorer) {}

  /// features: of a member's samples [n, n_features], n the same in every call. NaN where a number
  /// is not finite, or too few samples are there.
  double of(std::span<const float> features);

 private:
  metrics::Scorer& scorer_;
  std::vector<float> real_;  // [rows, n_compared]; empty until it is needed
};

}  // namespace lipizz::coev
