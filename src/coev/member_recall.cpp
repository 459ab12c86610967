#include "coev/member_recall.hpp"

#include <algorithm>

#include "metrics/manifold.hpp"

namespace lipizz::coev {

double MemberRecall::of(std::span<const float> features) {
  const std::size_t stride = scorer_.n_features();
  const std::size_t n = std::min<std::size_t>(features.size() / stride, kMostRecallRows);
  if (real_.empty()) {
    real_ = compared_columns(scorer_, scorer_.test_features(static_cast<std::uint32_t>(n)));
  }
  const std::vector<float> generated = compared_columns(scorer_, features.first(n * stride));
  const std::size_t n_compared = scorer_.n_compared();
  return metrics::manifold({real_, n_compared}, {generated, n_compared}).recall.value;
}

}  // namespace lipizz::coev
