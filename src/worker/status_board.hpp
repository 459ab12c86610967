#pragma once

#include <mutex>

#include "comm/messages.hpp"

namespace lipizz::worker {

/// Shows what a worker is doing, written by its training thread and read by the handler of
/// messages, so that a heartbeat is answered while training runs. Any thread may call it.
///
/// inactive -> processing -> finished, and back to processing when cells are assigned anew, or to
/// inactive when there are none for this worker; a spare stays inactive until it gets some.
class StatusBoard {
 public:
  /// InternalError unless `next` follows the present state.
  void enter(comm::WorkerState next);
  /// InternalError unless the worker is processing.
  void begin(Generation generation);
  [[nodiscard]] comm::Status status() const;

 private:
  mutable std::mutex mutex_;
  comm::Status status_;
};

}  // namespace lipizz::worker
