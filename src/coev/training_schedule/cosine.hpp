#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// Progress (1 - cos(pi t/T)) / 2 at generation t of T (Loshchilov and Hutter 2017, without
/// restarts), as R3GAN has it.
extern const TrainingSchedule kCosineSchedule;

}  // namespace lipizz::coev
