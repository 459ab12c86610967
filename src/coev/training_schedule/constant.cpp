#include "coev/training_schedule/constant.hpp"

#include <array>

#include "coev/training_schedule/span.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{kWarmUpParameter};

}  // namespace

constinit const TrainingSchedule kConstantSchedule{
    .name = "constant",
    .summary = "nothing changes, but for a warm-up",
    .parameters = kParameters,
    .progresses = false,
    .at = [](double generation, ParameterValues values) -> SchedulePoint {
      return {.progress = 0, .rate = warm_up(generation, values[0])};
    }};

}  // namespace lipizz::coev
