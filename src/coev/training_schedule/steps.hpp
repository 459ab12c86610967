#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// n equal steps: progress floor(n t/T) / n at generation t of T (the rates of He et al. 2016,
/// which fall a few times at once).
extern const TrainingSchedule kStepsSchedule;

}  // namespace lipizz::coev
