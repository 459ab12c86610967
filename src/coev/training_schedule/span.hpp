#pragma once

#include <algorithm>
#include <array>

#include "coev/training_schedule.hpp"

/// The parts that schedules share: a warm-up, a length, and the rate at the end.
namespace lipizz::coev {

inline constexpr Parameter kWarmUpParameter{
    .name = "warm_up",
    .lowest = 0,
    .highest = 1e6,
    .initial = 0,
    .unit = "generations",
    .summary = "For so long the learning rate rises in a line from 0 (parts count, 0.5 say)."};

/// The parameters of a schedule that comes to an end, in the order of the values below.
inline constexpr std::array kSpanParameters{
    kWarmUpParameter,
    Parameter{.name = "generations",
              .lowest = 1,
              .highest = 1e6,
              .initial = 100,
              .unit = "generations",
              .summary = "When it ends; from then on everything stays as it is."},
    Parameter{.name = "rate",
              .lowest = 0,
              .highest = 1,
              .initial = 0.1,
              .summary = "The share of the learning rate that is left at its end."},
    Parameter{.name = "begin",
              .lowest = 0,
              .highest = 1e6,
              .initial = 0,
              .unit = "generations",
              .summary = "Until then everything stays as it is."}};

inline double warm_up(double generation, double n_generations) {
  return generation < n_generations ? generation / n_generations : 1;
}

/// The part of a schedule of such values that is over, from 0 to 1.
inline double part_over(double generation, ParameterValues values) {
  const double begin = values[3];
  const double length = values[1] - begin;
  if (length <= 0) return generation < values[1] ? 0 : 1;
  return std::clamp((generation - begin) / length, 0.0, 1.0);
}

inline SchedulePoint point_of(double progress, double generation, ParameterValues values) {
  return {.progress = progress,
          .rate = (1 + (values[2] - 1) * progress) * warm_up(generation, values[0])};
}

}  // namespace lipizz::coev
