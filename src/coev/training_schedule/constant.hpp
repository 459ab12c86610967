#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// As configured from the first generation to the last, but for a warm-up.
extern const TrainingSchedule kConstantSchedule;

}  // namespace lipizz::coev
