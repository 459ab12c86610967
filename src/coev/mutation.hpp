#pragma once

#include <cstdint>
#include <span>

#include "coev/settings.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// The learning rate after one chance to mutate; what an optimizer uses from then on.
///
/// Numbers are those of `sample`, the count of chances in this generation. `rate_0` is the rate
/// that the run started with; Gaussian steps are relative to it (Lipizzaner), log-normal ones to
/// the rate itself.
double mutate_rate(const RateMutation& mutation, double rate, double rate_0, const Random& random,
                   std::uint32_t sample);

/// A loss drawn uniformly. losses: at least one.
nn::LossId draw_loss(std::span<const nn::LossId> losses, const Random& random,
                     std::uint32_t sample);

}  // namespace lipizz::coev
