#include "coev/training_schedule/steps.hpp"

#include <array>
#include <cmath>

#include "coev/training_schedule/span.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{kSpanParameters[0], kSpanParameters[1], kSpanParameters[2],
                                 kSpanParameters[3],
                                 Parameter{.name = "steps",
                                           .lowest = 1,
                                           .highest = 1e6,
                                           .initial = 3,
                                           .unit = "steps",
                                           .summary = "How many equal ones, the last at its end.",
                                           .is_whole = true}};

SchedulePoint at(double generation, ParameterValues values) {
  const double n = values[4];
  return point_of(std::floor(n * part_over(generation, values)) / n, generation, values);
}

}  // namespace

constinit const TrainingSchedule kStepsSchedule{
    .name = "steps", .summary = "in equal steps", .parameters = kParameters, .at = at};

}  // namespace lipizz::coev
