#include "comm/heartbeat_monitor.hpp"

#include <gmock/gmock.h>

namespace lipizz::comm::heartbeat_monitor_test {
namespace {

using Change = HeartbeatMonitor::Change;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr HeartbeatMonitor::Limits kLimits{.late_after_s = 5, .dead_after_s = 15};

std::vector<std::pair<int, Change>> changes(const std::vector<HeartbeatMonitor::Event>& events) {
  std::vector<std::pair<int, Change>> pairs;
  for (const auto& event : events) pairs.emplace_back(event.rank.value, event.change);
  return pairs;
}

TEST(HeartbeatMonitor, says_nothing_while_all_answer) {
  HeartbeatMonitor monitor(std::vector{Rank{1}, Rank{2}}, kLimits, 100);
  for (int second = 101; second < 200; ++second) {
    monitor.heard_from(Rank{1}, second);
    monitor.heard_from(Rank{2}, second);
    EXPECT_THAT(monitor.check(second), IsEmpty());
  }
}

TEST(HeartbeatMonitor, a_silent_rank_is_late_once_then_dead_once) {
  HeartbeatMonitor monitor(std::vector{Rank{1}, Rank{2}}, kLimits, 0);
  std::vector<std::pair<int, std::vector<std::pair<int, Change>>>> told;
  for (int second = 1; second <= 30; ++second) {
    monitor.heard_from(Rank{2}, second);
    if (auto events = changes(monitor.check(second)); !events.empty()) {
      told.emplace_back(second, events);
    }
  }
  EXPECT_THAT(told, ElementsAre(std::pair(5, std::vector{std::pair(1, Change::kLate)}),
                                std::pair(15, std::vector{std::pair(1, Change::kDead)})));
}

TEST(HeartbeatMonitor, knows_who_is_dead_and_stays_so) {
  HeartbeatMonitor monitor(std::vector{Rank{1}, Rank{2}}, kLimits, 0);
  for (int second = 1; second <= 15; ++second) {
    monitor.heard_from(Rank{2}, second);
    EXPECT_FALSE(monitor.is_dead(Rank{1})) << "late at most";
    static_cast<void>(monitor.check(second));
  }
  EXPECT_TRUE(monitor.is_dead(Rank{1}));
  EXPECT_FALSE(monitor.is_dead(Rank{2}));
  monitor.heard_from(Rank{1}, 16);
  EXPECT_TRUE(monitor.is_dead(Rank{1}));
}

TEST(HeartbeatMonitor, tells_for_how_long) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  monitor.heard_from(Rank{1}, 2);
  EXPECT_THAT(monitor.check(4), IsEmpty());
  const auto events = monitor.check(8);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].silent_s, 6);
}

TEST(HeartbeatMonitor, a_late_rank_comes_back_and_may_be_late_again) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  static_cast<void>(monitor.check(4));
  EXPECT_THAT(changes(monitor.check(6)), ElementsAre(std::pair(1, Change::kLate)));
  monitor.heard_from(Rank{1}, 7);
  EXPECT_THAT(changes(monitor.check(8)), ElementsAre(std::pair(1, Change::kBack)));
  EXPECT_THAT(monitor.check(11), IsEmpty());
  EXPECT_THAT(changes(monitor.check(13)), ElementsAre(std::pair(1, Change::kLate)));
}

// Silent for so long, then heard again; the second after which it is dead when it falls silent for
// good.
double dies_after(double silence_s) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  double now_s = 0;
  for (int second = 1; second <= silence_s; ++second) {
    static_cast<void>(monitor.check(++now_s));
    EXPECT_FALSE(monitor.is_dead(Rank{1}));
  }
  monitor.heard_from(Rank{1}, now_s);
  const double last_heard_s = now_s;
  while (!monitor.is_dead(Rank{1})) static_cast<void>(monitor.check(++now_s));
  return now_s - last_heard_s;
}

TEST(HeartbeatMonitor, learns_from_silences_that_ended) {
  EXPECT_EQ(dies_after(0), 15);
  EXPECT_EQ(dies_after(5), 15);
  EXPECT_EQ(dies_after(6), 18);
  EXPECT_EQ(dies_after(14), 42);
}

TEST(HeartbeatMonitor, has_patience_for_four_times_the_limit_at_the_most) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  double now_s = 0;
  const auto be_silent_for = [&](int seconds) {
    for (int second = 0; second < seconds; ++second) static_cast<void>(monitor.check(++now_s));
  };
  be_silent_for(14);
  monitor.heard_from(Rank{1}, now_s);
  be_silent_for(41);
  monitor.heard_from(Rank{1}, now_s);
  be_silent_for(59);
  EXPECT_FALSE(monitor.is_dead(Rank{1}));
  be_silent_for(1);
  EXPECT_TRUE(monitor.is_dead(Rank{1}));
}

TEST(HeartbeatMonitor, the_dead_stay_dead) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  for (int second = 4; second <= 16; second += 4) static_cast<void>(monitor.check(second));
  monitor.heard_from(Rank{1}, 17);
  EXPECT_THAT(monitor.check(18), IsEmpty());
}

// The process was stopped: its own pause is nobody's silence.
TEST(HeartbeatMonitor, blames_nobody_for_a_pause_of_its_own) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  EXPECT_THAT(monitor.check(1), IsEmpty());
  EXPECT_THAT(monitor.check(1001), IsEmpty());
  EXPECT_THAT(monitor.check(1004), IsEmpty()) << "1 s before the pause and 3 s after it";
  EXPECT_THAT(changes(monitor.check(1005)), ElementsAre(std::pair(1, Change::kLate)));
}

TEST(HeartbeatMonitor, strangers_do_not_count) {
  HeartbeatMonitor monitor(std::vector{Rank{1}}, kLimits, 0);
  monitor.heard_from(Rank{7}, 4);
  EXPECT_THAT(changes(monitor.check(5)), ElementsAre(std::pair(1, Change::kLate)));
}

TEST(HeartbeatMonitor, knows_when_all_have_been_heard_from) {
  const std::vector<Rank> ranks{Rank{1}, Rank{2}};
  HeartbeatMonitor monitor(ranks, {5, 15}, 100);
  EXPECT_FALSE(monitor.has_heard_all());
  monitor.heard_from(Rank{2}, 101);
  monitor.heard_from(Rank{3}, 101);
  EXPECT_FALSE(monitor.has_heard_all());
  monitor.heard_from(Rank{1}, 101);
  EXPECT_TRUE(monitor.has_heard_all());
}

TEST(HeartbeatMonitor, a_revived_one_is_watched_like_one_that_was_just_heard_from) {
  const std::vector<Rank> ranks{{1}, {2}};
  HeartbeatMonitor monitor(ranks, {.late_after_s = 5, .dead_after_s = 10}, 0);
  const auto beat = [&](double now_s) {
    monitor.heard_from({2}, now_s);
    return monitor.check(now_s);
  };
  for (double now_s = 0; now_s < 12; now_s += 4) static_cast<void>(beat(now_s));
  ASSERT_FALSE(beat(12).empty());
  ASSERT_TRUE(monitor.is_dead({1}));
  monitor.revive({1}, 13);
  EXPECT_FALSE(monitor.is_dead({1}));
  EXPECT_TRUE(beat(16).empty());
  EXPECT_EQ(beat(20).front().change, HeartbeatMonitor::Change::kLate);
  EXPECT_EQ(beat(24).front().change, HeartbeatMonitor::Change::kDead);
}

}  // namespace
}  // namespace lipizz::comm::heartbeat_monitor_test
