#include "app/restarts.hpp"

#include <gmock/gmock.h>

namespace lipizz::app::restarts_test {
namespace {

using ::testing::Optional;

TEST(Restarts, come_at_once_and_then_after_longer_and_longer_pauses) {
  Restarts restarts(8);
  for (const double pause_s : {0, 2, 4, 8, 16, 32, 60, 60}) {
    EXPECT_THAT(restarts.next(false), Optional(pause_s));
  }
  EXPECT_EQ(restarts.next(false), std::nullopt);
  EXPECT_EQ(restarts.count(), 8U);
}

TEST(Restarts, begin_anew_once_the_run_gets_on) {
  Restarts restarts(2);
  for (int i = 0; i < 100; ++i) EXPECT_THAT(restarts.next(true), Optional(0)) << i;
  EXPECT_EQ(restarts.count(), 1U);
  EXPECT_THAT(restarts.next(false), Optional(2));
  EXPECT_EQ(restarts.next(false), std::nullopt);
  EXPECT_THAT(restarts.next(true), Optional(0));
}

TEST(Restarts, there_are_none_where_none_are_wanted) {
  EXPECT_EQ(Restarts(0).next(true), std::nullopt);
}

}  // namespace
}  // namespace lipizz::app::restarts_test
