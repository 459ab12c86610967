#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <variant>

#include "comm/heartbeat_monitor.hpp"
#include "comm/protocol.hpp"

namespace lipizz::master {

/// One period of the heartbeat has passed.
struct Beat {};

/// A message was dropped that bears no code of this run.
struct Unauthenticated {
  Rank claimed_source;
};

/// The master reacts to these. The exception is a failure of the message layer.
using Event = std::variant<comm::Message, comm::HeartbeatMonitor::Event, std::exception_ptr, Beat,
                           Unauthenticated>;

/// Events on their way from the threads that notice them to the one that handles them.
class EventQueue {
 public:
  /// Any thread.
  void post(Event event);
  /// One thread: sleeps until there is an event, and takes the oldest.
  Event take();

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<Event> events_;
};

}  // namespace lipizz::master
