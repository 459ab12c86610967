#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// As configured from the first generation to the last, but for a warm-up (Schmiedlechner et al.
/// 2018, who have none).
extern const TrainingSchedule kConstantSchedule;

}  // namespace lipizz::coev
