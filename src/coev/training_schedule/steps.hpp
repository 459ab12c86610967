#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// n equal steps: progress floor(n t/T) / n at generation t of T.
extern const TrainingSchedule kStepsSchedule;

}  // namespace lipizz::coev
