#include "telemetry/profile.hpp"

#include <gtest/gtest.h>

namespace lipizz::telemetry::profile_test {
namespace {

struct StepClock final : Clock {
  double now_s() const override { return now; }
  double now = 10;
};

TEST(Profile, sums_by_name_in_the_order_of_appearance) {
  Profile profile;
  profile.add("train", 1);
  profile.add("mutate", 2);
  profile.add("train", 0.5);
  ASSERT_EQ(profile.entries().size(), 2U);
  EXPECT_EQ(profile.entries()[0].routine, "train");
  EXPECT_EQ(profile.seconds("train"), 1.5);
  EXPECT_EQ(profile.seconds("mutate"), 2);
  EXPECT_EQ(profile.seconds("gather"), 0);
}

TEST(Span, adds_what_passed_on_its_clock) {
  StepClock clock;
  Profile profile;
  {
    const Span span(profile, "gather", clock);
    clock.now += 2.5;
  }
  EXPECT_EQ(profile.seconds("gather"), 2.5);
}

}  // namespace
}  // namespace lipizz::telemetry::profile_test
