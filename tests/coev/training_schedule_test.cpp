#include "coev/training_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coev/operator_conformance.hpp"
#include "coev/training_schedule/constant.hpp"
#include "coev/training_schedule/cosine.hpp"
#include "coev/training_schedule/linear.hpp"
#include "coev/training_schedule/steps.hpp"

namespace lipizz::coev::training_schedule_test {
namespace {

using Schedule = Configured<TrainingSchedule>;

SchedulePoint at(const Schedule& schedule, double generation) {
  return schedule->at(generation, schedule.values());
}

TEST(TrainingSchedule, every_row_conforms) {
  for (const TrainingSchedule* row : training_schedules()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(TrainingSchedule, constant_changes_nothing) {
  for (const double generation : {0.0, 0.5, 1e6}) {
    EXPECT_EQ(at(kConstantSchedule, generation).rate, 1);
  }
}

TEST(TrainingSchedule, a_line_leads_to_the_share_that_is_left) {
  const Schedule linear{kLinearSchedule, {0, 50, 0.2, 0}};
  EXPECT_EQ(at(linear, 0).rate, 1);
  EXPECT_NEAR(at(linear, 25).rate, 0.6, 1e-12);
  EXPECT_NEAR(at(linear, 50).rate, 0.2, 1e-12);
  EXPECT_NEAR(at(linear, 80).rate, 0.2, 1e-12);
}

TEST(TrainingSchedule, stays_as_it_is_until_it_begins) {
  const Schedule half{kLinearSchedule, {0, 200, 0, 100}};
  EXPECT_EQ(at(half, 99.9).rate, 1);
  EXPECT_EQ(at(half, 99.9).progress, 0);
  EXPECT_NEAR(at(half, 150).rate, 0.5, 1e-12);
  EXPECT_EQ(at(half, 200).rate, 0);
  const Schedule never{kLinearSchedule, {0, 10, 0.5, 20}};  // a step at its end
  EXPECT_EQ(at(never, 9.9).rate, 1);
  EXPECT_EQ(at(never, 10).rate, 0.5);
}

TEST(TrainingSchedule, a_cosine_is_one) {
  const Schedule cosine{kCosineSchedule, {0, 8, 0.25, 0}};
  for (int g = 0; g <= 8; ++g) {
    const double progress = (1 - std::cos(std::numbers::pi * g / 8)) / 2;
    EXPECT_NEAR(at(cosine, g).progress, progress, 1e-6);
    EXPECT_NEAR(at(cosine, g).rate, 1 - 0.75 * progress, 1e-6);
  }
}

TEST(TrainingSchedule, steps_are_equal_and_the_last_is_at_the_end) {
  const Schedule steps{kStepsSchedule, {0, 9, 0.1, 0, 3}};
  EXPECT_EQ(at(steps, 2.9).rate, 1);
  EXPECT_NEAR(at(steps, 3).rate, 0.7, 1e-12);
  EXPECT_NEAR(at(steps, 8.9).rate, 0.4, 1e-12);
  EXPECT_NEAR(at(steps, 9).rate, 0.1, 1e-12);
}

TEST(TrainingSchedule, every_one_can_warm_up) {
  for (const TrainingSchedule* row : training_schedules()) {
    const Schedule usual(*row);
    std::vector<double> values(usual.values().begin(), usual.values().end());
    values[0] = 4;
    const double without = at(*row, 1).rate;
    EXPECT_EQ(at({*row, values}, 0).rate, 0) << row->name;
    EXPECT_NEAR(at({*row, values}, 1).rate, without / 4, 1e-12) << row->name;
    EXPECT_EQ(at({*row, values}, 4).rate, at(*row, 4).rate) << row->name;
  }
}

TEST(TrainingSchedule, what_breaks_a_property_is_found) {
  TrainingSchedule falling = kLinearSchedule;
  falling.at = [](double generation, ParameterValues) -> SchedulePoint {
    return {.progress = generation < 50 ? 1 : 0.5, .rate = 1};
  };
  EXPECT_THAT(testing::broken_properties(falling),
              ::testing::IsSupersetOf({"begins at 0", "rises to 1 at most"}));
  TrainingSchedule silent = kConstantSchedule;
  silent.at = [](double generation, ParameterValues) -> SchedulePoint {
    return {.progress = generation > 0 ? 1.0 : 0.0, .rate = -1};
  };
  EXPECT_THAT(testing::broken_properties(silent),
              ::testing::UnorderedElementsAre("is a rate", "progresses as it says"));
}

}  // namespace
}  // namespace lipizz::coev::training_schedule_test
