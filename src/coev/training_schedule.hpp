#pragma once

#include <span>
#include <string_view>

#include "coev/operator.hpp"

namespace lipizz::coev {

/// A place in a schedule.
struct SchedulePoint {
  double progress = 0;  // how far the schedule has come, from 0 to 1
  double rate = 1;      // what learning rates are multiplied by
};

/// The changes of a network's training with time (as of R3GAN, Huang et al. 2024): its learning
/// rate, and with the schedule's progress beta2 and the weight of a penalty. Mutation changes the
/// rate that this is a share of. Time is counted in generations, those that are done and the part
/// of the present one; a schedule that has ended stays where it is.
///
/// Every schedule has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; progress begins at 0, never falls and stays in [0, 1]; the rate stays a finite
/// number of at least 0.
struct TrainingSchedule {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// True when it changes anything but for a warm-up.
  bool progresses = true;
  SchedulePoint (*at)(double generation, ParameterValues values);
};

/// Every schedule there is.
std::span<const TrainingSchedule* const> training_schedules();

}  // namespace lipizz::coev
