#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "comm/heartbeat_monitor.hpp"
#include "core/clock.hpp"

namespace lipizz::worker {

/// A worker's hold on its master: when no ping has come for too long, the worker is cut off and has
/// to leave, or it would wait for ever, on a host that nobody reaches any more. Other messages do
/// not renew it.
class Lease {
 public:
  /// `on_end` is called once, on the lease's thread, with the seconds of silence; it may take its
  /// time to leave in order. The clock must outlive it.
  Lease(double limit_s, const Clock& clock, std::function<void(double silent_s)> on_end);
  ~Lease();

  /// Any thread: a ping of the master has come. The lease runs from the first one.
  void renew();
  /// Any thread: the master has said that it will say no more.
  void release();

 private:
  void watch();

  const comm::HeartbeatMonitor::Limits limits_;
  const Clock& clock_;
  std::function<void(double)> on_end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_released_ = false;
  std::optional<comm::HeartbeatMonitor> master_;  // from the first ping on
  std::jthread thread_;                           // the last member: it uses all others
};

}  // namespace lipizz::worker
