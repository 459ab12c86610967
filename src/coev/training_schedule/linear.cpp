#include "coev/training_schedule/linear.hpp"

#include "coev/training_schedule/span.hpp"

namespace lipizz::coev {

constinit const TrainingSchedule kLinearSchedule{
    .name = "linear",
    .summary = "in a line from its beginning to its end",
    .parameters = kSpanParameters,
    .at = [](double generation, ParameterValues values) {
      return point_of(part_over(generation, values), generation, values);
    }};

}  // namespace lipizz::coev
