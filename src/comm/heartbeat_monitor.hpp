#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::comm {

/// The failure detector: tells who is heard from and who is not. The master's heartbeat watches the
/// workers with it, and a worker's lease the master. A state machine without threads, messages or
/// clock of its own. Times are seconds on any monotonic clock.
///
/// It learns from silences that ended, as on a node that others load: who was silent and answered
/// again is dead only after three times as long, but never before the limit nor beyond four times
/// it (adaptive like the detector of Chen, Toueg and Aguilera 2002, without their estimate of
/// delays).
class HeartbeatMonitor {
 public:
  struct Limits {
    double late_after_s = 5;
    double dead_after_s = 15;
  };
  enum class Change { kLate, kBack, kDead };
  struct Event {
    Rank rank;
    Change change;
    double silent_s;
  };

  HeartbeatMonitor(std::span<const Rank> ranks, Limits limits, double now_s);

  /// True once every rank has been heard from.
  [[nodiscard]] bool has_heard_all() const;
  [[nodiscard]] bool is_dead(Rank rank) const { return watched_.at(rank).is_dead; }

  /// Anything from `rank` counts. A dead one stays dead.
  void heard_from(Rank rank, double now_s);
  /// A dead one lives again, and is watched as if it had just been heard from.
  void revive(Rank rank, double now_s);

  /// Returns what has changed since the last check, in order of ranks: each lateness, each return
  /// and each death is told once. To be called more often than late_after_s: a longer pause means
  /// that this process itself was held up, and nobody is blamed for it.
  std::vector<Event> check(double now_s);

 private:
  struct Watched {
    double last_heard_s;
    double silent_s = 0;           // at the last check
    double longest_silence_s = 0;  // that ended
    bool is_known = false;
    bool is_late = false;
    bool is_dead = false;
  };

  [[nodiscard]] double dead_after_s(const Watched& watched) const;

  Limits limits_;
  double last_check_s_;
  std::map<Rank, Watched> watched_;
};

}  // namespace lipizz::comm
