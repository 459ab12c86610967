#include "master/heartbeat.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <set>

#include "support/batch_thread.hpp"

namespace lipizz::master::heartbeat_test {
namespace {

// A second goes by whenever somebody looks.
struct SteppingClock final : Clock {
  double now_s() const override { return ticks.fetch_add(1); }
  mutable std::atomic<int> ticks = 0;
};

constexpr comm::HeartbeatMonitor::Limits kLimits{.late_after_s = 50, .dead_after_s = 150};

TEST(Heartbeat, asks_all_and_tells_who_never_answers) {
  const SteppingClock clock;
  std::mutex mutex;
  std::condition_variable changed;
  std::set<int> pinged;
  std::vector<comm::HeartbeatMonitor::Event> told;
  Heartbeat* self = nullptr;
  Heartbeat heartbeat(
      {Rank{1}, Rank{2}}, kLimits, 1e-4, clock,
      [&](Rank rank) {
        if (rank == Rank{2}) self->heard_from(rank);
        const std::scoped_lock lock(mutex);
        pinged.insert(rank.value);
      },
      [&](const comm::HeartbeatMonitor::Event& event) {
        const std::scoped_lock lock(mutex);
        told.push_back(event);
        changed.notify_all();
      },
      [] {});
  self = &heartbeat;
  heartbeat.start();
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return told.size() == 2; });
  }
  heartbeat.stop();
  EXPECT_EQ(pinged, (std::set{1, 2}));
  EXPECT_EQ(told[0].rank, Rank{1});
  EXPECT_EQ(told[0].change, comm::HeartbeatMonitor::Change::kLate);
  EXPECT_EQ(told[1].rank, Rank{1});
  EXPECT_EQ(told[1].change, comm::HeartbeatMonitor::Change::kDead);
}

TEST(Heartbeat, does_not_wait_behind_those_who_compute) {
  const SteppingClock clock;
  std::promise<bool> asked;
  std::once_flag once;
  const auto ping = [&](Rank) {
    std::call_once(once, [&] { asked.set_value(lipizz::testing::is_woken_at_once()); });
  };
  Heartbeat heartbeat(
      {Rank{1}}, kLimits, 1e-4, clock, ping, [](const auto&) {}, [] {});
  lipizz::testing::on_batch_thread([&] { heartbeat.start(); });
  EXPECT_TRUE(asked.get_future().get());
  heartbeat.stop();
}

TEST(Heartbeat, does_not_ask_the_dead) {
  const SteppingClock clock;
  std::atomic<int> n_beats_since = 0;  // since one was told dead
  int n_asked_since = 0;               // like what follows, of the heartbeat's thread
  bool is_dead = false;
  Heartbeat* self = nullptr;
  Heartbeat heartbeat(
      {Rank{1}, Rank{2}}, kLimits, 1e-4, clock,
      [&](Rank rank) {
        if (rank == Rank{2}) self->heard_from(rank);
        if (!is_dead) return;
        EXPECT_EQ(rank, Rank{2});
        ++n_asked_since;
      },
      [&](const auto& event) {
        is_dead = is_dead || event.change == comm::HeartbeatMonitor::Change::kDead;
      },
      [&] {
        if (is_dead) ++n_beats_since;
        n_beats_since.notify_all();
      });
  self = &heartbeat;
  heartbeat.start();
  for (int seen = 0; seen < 3; seen = n_beats_since) n_beats_since.wait(seen);
  heartbeat.stop();
  EXPECT_EQ(n_asked_since, n_beats_since);
}

TEST(Heartbeat, stops_at_once_however_long_its_period) {
  const SteppingClock clock;
  Heartbeat heartbeat(
      {Rank{1}}, kLimits, 1e6, clock, [](Rank) {}, [](const auto&) {}, [] {});
  heartbeat.start();
  heartbeat.stop();
  heartbeat.heard_from(Rank{1});
}

TEST(Heartbeat, tells_every_beat_after_asking_all) {
  const SteppingClock clock;
  std::atomic<int> n_pings = 0;
  std::atomic<int> n_beats = 0;
  Heartbeat heartbeat(
      {Rank{1}, Rank{2}}, {.late_after_s = 1e6, .dead_after_s = 2e6}, 1e-4, clock,
      [&](Rank) { ++n_pings; }, [](const auto&) {},
      [&] {
        EXPECT_EQ(n_pings.load(), 2 * ++n_beats);
        n_beats.notify_all();
      });
  heartbeat.start();
  for (int seen = 0; seen < 3; seen = n_beats) n_beats.wait(seen);
  heartbeat.stop();
}

}  // namespace
}  // namespace lipizz::master::heartbeat_test
