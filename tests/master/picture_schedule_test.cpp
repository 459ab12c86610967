#include "master/picture_schedule.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace lipizz::master::picture_schedule_test {
namespace {

// The generations that are drawn, counted from 1.
std::vector<Generation> drawn(PictureSchedule schedule, const std::vector<double>& scores) {
  std::vector<Generation> all;
  for (Generation generation = 1; generation <= scores.size(); ++generation) {
    if (schedule.is_due(generation, scores[generation - 1])) all.push_back(generation);
  }
  return all;
}

TEST(PictureSchedule, draws_what_is_better_than_all_before) {
  const double nan = std::nan("");
  EXPECT_THAT(drawn(PictureSchedule(8), {nan, 5, 5, 6, 4, nan, 4.5, 3}),
              ::testing::ElementsAre(2, 5, 8));
}

TEST(PictureSchedule, draws_at_most_fifty) {
  std::vector<double> falling;
  for (int i = 0; i < 499; ++i) falling.push_back(1000 - i);
  const std::vector<Generation> all = drawn(PictureSchedule(499), falling);
  EXPECT_EQ(all.size(), 50U);
  EXPECT_EQ(all[0], 1U);
  EXPECT_EQ(all[1], 11U);
}

TEST(PictureSchedule, what_came_too_soon_still_has_to_be_beaten) {
  EXPECT_THAT(drawn(PictureSchedule(101), {9, 5, 9, 6, 4}), ::testing::ElementsAre(1, 5));
}

}  // namespace
}  // namespace lipizz::master::picture_schedule_test
