#include "core/time_slice.hpp"

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <thread>

namespace lipizz::time_slice_test {
namespace {

#if defined(__linux__)
TEST(TimeSlice, makes_the_calling_thread_batch_work_and_no_other) {
  int policy = -1;
  std::thread([&] {
    prefer_long_time_slices();
    policy = sched_getscheduler(0);
  }).join();
  EXPECT_EQ(policy, SCHED_BATCH);
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
}

TEST(TimeSlice, is_not_inherited_by_a_thread_that_answers) {
  int inherited = -1;
  int policy = -1;
  std::thread([&] {
    prefer_long_time_slices();
    std::thread([&] {
      inherited = sched_getscheduler(0);
      prefer_short_waits();
      policy = sched_getscheduler(0);
    }).join();
  }).join();
  EXPECT_EQ(inherited, SCHED_BATCH);
  EXPECT_EQ(policy, SCHED_OTHER);
}
#endif

}  // namespace
}  // namespace lipizz::time_slice_test
