#include "coev/mutation.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace lipizz::coev {
namespace {

// Positions in a sample's stream.
constexpr std::uint32_t kChance = 0;
constexpr std::uint32_t kStep = 1;

}  // namespace

double mutate_rate(const RateMutation& mutation, double rate, double rate_0, const Random& random,
                   std::uint32_t sample) {
  if (mutation.kind == RateMutationKind::kNone) return rate;
  if (random.uniform(sample, kChance) >= mutation.probability) return rate;
  const double normal = random.normal(sample, kStep);
  if (mutation.kind == RateMutationKind::kGaussian) {
    return std::max(0.0, rate + mutation.alpha * (rate_0 * normal - rate_0 / 10));
  }
  return rate * math::exp(static_cast<float>(mutation.alpha * normal));
}

nn::LossId draw_loss(std::span<const nn::LossId> losses, const Random& random,
                     std::uint32_t sample) {
  return losses[random.below(static_cast<std::uint32_t>(losses.size()), sample)];
}

}  // namespace lipizz::coev
