#pragma once

#include "coev/training_schedule.hpp"

namespace lipizz::coev {

/// Progress t/T at generation t of T. pix2pix has such a one (Isola et al. 2017).
extern const TrainingSchedule kLinearSchedule;

}  // namespace lipizz::coev
