#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "comm/heartbeat_monitor.hpp"
#include "core/clock.hpp"

namespace lipizz::master {

/// The thread that asks every worker for its status once per period and tells who does not answer.
/// The dead are not asked any more.
class Heartbeat {
 public:
  using Ping = std::function<void(Rank)>;
  using Tell = std::function<void(const comm::HeartbeatMonitor::Event&)>;
  using Beat = std::function<void()>;

  /// `ping`, `tell` and, once per period, `on_beat` are called on its thread. The clock must
  /// outlive it.
  Heartbeat(std::vector<Rank> ranks, comm::HeartbeatMonitor::Limits limits, double period_s,
            const Clock& clock, Ping ping, Tell tell, Beat on_beat);
  ~Heartbeat() { stop(); }

  /// Silence counts from here. Once.
  void start();
  void stop();

  /// Any thread, at any time: a message of this rank has arrived.
  void heard_from(Rank rank);
  /// Any thread: one that was told dead is pinged and watched again.
  void revive(Rank rank);
  /// Any thread, at any time. True once, when every rank has been heard from.
  [[nodiscard]] bool newly_heard_all();

 private:
  void beat();

  std::vector<Rank> ranks_;
  comm::HeartbeatMonitor::Limits limits_;
  double period_s_;
  const Clock& clock_;
  Ping ping_;
  Tell tell_;
  Beat on_beat_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool is_stopping_ = false;
  comm::HeartbeatMonitor monitor_;
  bool has_told_of_all_ = false;
  std::thread thread_;
};

}  // namespace lipizz::master
