#include "coev/training_schedule.hpp"

#include <array>

#include "coev/training_schedule/constant.hpp"
#include "coev/training_schedule/cosine.hpp"
#include "coev/training_schedule/linear.hpp"
#include "coev/training_schedule/steps.hpp"

namespace lipizz::coev {

std::span<const TrainingSchedule* const> training_schedules() {
  static constexpr std::array kTrainingSchedules{&kConstantSchedule, &kLinearSchedule,
                                                 &kCosineSchedule, &kStepsSchedule};
  return kTrainingSchedules;
}

}  // namespace lipizz::coev
