#include "worker/lease.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "support/batch_thread.hpp"

namespace lipizz::worker::lease_test {
namespace {

// Stands still until told to go on; each look takes a step then.
struct SteppingClock final : Clock {
  double now_s() const override {
    ++n_looks;
    if (is_moving) time_s = time_s + 0.01;
    return time_s;
  }
  mutable std::atomic<double> time_s = 100;
  mutable std::atomic<int> n_looks = 0;
  std::atomic<bool> is_moving = false;
};

constexpr double kLimit_s = 0.05;

TEST(Lease, ends_after_so_long_without_a_word) {
  SteppingClock clock;
  std::promise<double> ended;
  Lease lease(kLimit_s, clock, [&](double silent_s) { ended.set_value(silent_s); });
  lease.renew();
  clock.is_moving = true;
  EXPECT_GE(ended.get_future().get(), kLimit_s);
}

TEST(Lease, does_not_wait_behind_those_who_compute) {
  SteppingClock clock;
  clock.is_moving = true;
  std::promise<bool> ended;
  lipizz::testing::on_batch_thread([&] {
    Lease lease(kLimit_s, clock,
                [&](double) { ended.set_value(lipizz::testing::is_woken_at_once()); });
    lease.renew();
    EXPECT_TRUE(ended.get_future().get());
  });
}

TEST(Lease, does_not_run_before_the_first_word_or_after_the_last) {
  SteppingClock clock;
  clock.is_moving = true;
  std::atomic<int> n_ends = 0;
  {
    const Lease never(kLimit_s, clock, [&](double) { ++n_ends; });
    Lease released(kLimit_s, clock, [&](double) { ++n_ends; });
    released.renew();
    released.release();
    while (clock.time_s < 102) clock.now_s();
  }
  EXPECT_EQ(n_ends, 0);
}

TEST(Lease, every_word_renews_it) {
  SteppingClock clock;
  std::atomic<int> n_ends = 0;
  {
    Lease lease(kLimit_s, clock, [&](double) { ++n_ends; });
    for (int i = 0; i < 1000; ++i) {
      clock.time_s = clock.time_s + kLimit_s / 4;
      lease.renew();
    }
    lease.release();
  }
  EXPECT_EQ(n_ends, 0);
}

TEST(Lease, a_process_that_was_held_up_blames_nobody) {
  SteppingClock clock;
  std::atomic<int> n_ends = 0;
  {
    Lease lease(kLimit_s, clock, [&](double) { ++n_ends; });
    lease.renew();
    clock.time_s = 1000;  // between two looks
    const int seen = clock.n_looks;
    while (clock.n_looks < seen + 3) std::this_thread::yield();
  }
  EXPECT_EQ(n_ends, 0);
}

}  // namespace
}  // namespace lipizz::worker::lease_test
