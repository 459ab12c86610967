#include "grid/schedule.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::grid::schedule_test {
namespace {

const Neighbourhood* const kCross = &find_neighbourhood("cross5");
const Neighbourhood* const kMoore = &find_neighbourhood("moore9");
const Neighbourhood* const kRing = &find_neighbourhood("ring3");

TEST(Schedule, holds_from_its_generation_until_the_next) {
  const Schedule schedule({{0, kCross}, {20, kMoore}, {21, kRing}});
  EXPECT_EQ(&schedule.at(0), kCross);
  EXPECT_EQ(&schedule.at(19), kCross);
  EXPECT_EQ(&schedule.at(20), kMoore);
  EXPECT_EQ(&schedule.at(21), kRing);
  EXPECT_EQ(&schedule.at(4'000'000'000U), kRing);
  EXPECT_EQ(&Schedule(*kMoore).at(7), kMoore);
}

TEST(Schedule, one_with_a_hole_or_that_goes_back_is_refused) {
  EXPECT_THROW(Schedule(std::vector<Schedule::Entry>{}), InternalError);
  EXPECT_THROW(Schedule({{1, kCross}}), InternalError);
  EXPECT_THROW(Schedule({{0, kCross}, {0, kMoore}}), InternalError);
  EXPECT_THROW(Schedule({{0, kCross}, {5, kMoore}, {4, kRing}}), InternalError);
}

}  // namespace
}  // namespace lipizz::grid::schedule_test
