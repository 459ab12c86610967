#include "master/provenance.hpp"

#include <gtest/gtest.h>

namespace lipizz::master::provenance_test {
namespace {

struct StepClock final : Clock {
  double now_s() const override { return now; }
  double now = 5;
};

TEST(RunTimer, takes_the_seconds_of_training) {
  StepClock clock;
  RunTimer timer(clock);
  clock.now = 10;
  timer.begin_training();
  clock.now = 12;
  timer.begin_training();
  EXPECT_EQ(timer.times().training_s, 0) << "not at its end";
  clock.now = 14;
  timer.end_training();
  EXPECT_EQ(timer.times().training_s, 4);
  clock.now = 20;  // a worker was lost after all, and what it did was done again
  timer.end_training();
  const RunTimes times = timer.times();
  EXPECT_EQ(times.training_s, 10);
  EXPECT_LE(times.started, times.ended);
}

TEST(RunTimer, without_training_there_are_no_seconds) {
  const StepClock clock;
  RunTimer timer(clock);
  timer.end_training();
  EXPECT_EQ(timer.times().training_s, 0);
}

TEST(Provenance, times_are_written_as_the_world_does) {
  EXPECT_EQ(time_text(std::chrono::system_clock::from_time_t(1'769'860'800)),
            "2026-01-31T12:00:00Z");
}

}  // namespace
}  // namespace lipizz::master::provenance_test
