#include "comm/heartbeat_monitor.hpp"

#include <algorithm>

namespace lipizz::comm {
namespace {

constexpr double kLongerThanEver = 3;
constexpr double kMostPatience = 4;

}  // namespace

HeartbeatMonitor::HeartbeatMonitor(std::span<const Rank> ranks, Limits limits, double now_s)
    : limits_(limits), last_check_s_(now_s) {
  for (const Rank rank : ranks) watched_.emplace(rank, Watched{.last_heard_s = now_s});
}

void HeartbeatMonitor::heard_from(Rank rank, double now_s) {
  const auto found = watched_.find(rank);
  if (found == watched_.end()) return;
  Watched& watched = found->second;
  watched.last_heard_s = std::max(watched.last_heard_s, now_s);
  watched.longest_silence_s = std::max(watched.longest_silence_s, watched.silent_s);
  watched.silent_s = 0;
  watched.is_known = true;
}

void HeartbeatMonitor::revive(Rank rank, double now_s) {
  watched_.at(rank) = {.last_heard_s = now_s, .is_known = true};
}

double HeartbeatMonitor::dead_after_s(const Watched& watched) const {
  return std::clamp(kLongerThanEver * watched.longest_silence_s, limits_.dead_after_s,
                    kMostPatience * limits_.dead_after_s);
}

bool HeartbeatMonitor::has_heard_all() const {
  return std::ranges::all_of(watched_, [](const auto& entry) { return entry.second.is_known; });
}

std::vector<HeartbeatMonitor::Event> HeartbeatMonitor::check(double now_s) {
  const double pause_s = now_s - last_check_s_;
  last_check_s_ = now_s;
  std::vector<Event> events;
  for (auto& [rank, watched] : watched_) {
    if (watched.is_dead) continue;
    if (pause_s > limits_.late_after_s) {
      watched.last_heard_s = std::min(watched.last_heard_s + pause_s, now_s);
    }
    const double silent_s = now_s - watched.last_heard_s;
    const bool is_late = silent_s >= limits_.late_after_s;
    watched.silent_s = silent_s;
    watched.is_dead = silent_s >= dead_after_s(watched);
    if (watched.is_dead) {
      events.push_back({rank, Change::kDead, silent_s});
    } else if (is_late != watched.is_late) {
      events.push_back({rank, is_late ? Change::kLate : Change::kBack, silent_s});
    }
    watched.is_late = is_late;
  }
  return events;
}

}  // namespace lipizz::comm
