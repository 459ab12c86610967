#include "coev/training_schedule/cosine.hpp"

#include <algorithm>

#include "coev/training_schedule/span.hpp"
#include "core/math.hpp"

namespace lipizz::coev {
namespace {

// A cosine of half a turn, with the same bits on every machine.
double half_cosine(double part) {
  const auto turns = static_cast<float>(part / 2);
  return std::clamp((1 - double{math::sincos_turns(turns).cos}) / 2, 0.0, 1.0);
}

}  // namespace

constinit const TrainingSchedule kCosineSchedule{
    .name = "cosine",
    .summary = "half a cosine: slow at both ends (R3GAN, Huang et al. 2024)",
    .parameters = kSpanParameters,
    .at = [](double generation, ParameterValues values) {
      return point_of(half_cosine(part_over(generation, values)), generation, values);
    }};

}  // namespace lipizz::coev
