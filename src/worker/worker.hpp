#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "core/clock.hpp"
#include "core/stop_request.hpp"
#include "worker/message_handler.hpp"
#include "worker/worker_context.hpp"
#include "worker/worker_parts.hpp"

namespace lipizz::worker {

/// How a worker leaves before the end.
struct Leaving {
  /// Once somebody asks, the worker saves what it holds; the master says what follows.
  std::shared_ptr<StopRequest> request = std::make_shared<StopRequest>();
  /// Called by a handler when the master says that the run is left early: all is saved, and the
  /// training thread is about to notice.
  std::function<void(std::int32_t exit_code)> when_told = [](std::int32_t) {};
};

/// A rank that trains. The calling thread is the training thread; handlers of messages, which the
/// CommManager calls, answer heartbeats at once and fill the mailbox and the exchange.
///
/// A rank that is no worker helps the one before it, if that hosts cells
/// (coev/shared_training.hpp).
///
/// inactive until the master assigns cells (a spare stays so), processing until the results are
/// sent, then finished: it serves the master's tasks until told to stop. Another assignment, after
/// a worker has been lost or where cells move, begins all of this again from an earlier generation.
class Worker {
 public:
  /// After form_groups(). The references must outlive it.
  Worker(comm::CommManager& comm, const comm::RunPlan& run_plan, WorkerContext& context,
         const Clock& clock, Leaving leaving = {});

  ~Worker() { parts_.comm.end(); }  // its handlers use this object
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Once. Returns what the master says at the end; an error of this worker goes to the master,
  /// who says it. Throws PeerLost when the message layer fails. Then, and when the ending is
  /// kAborted, the caller must abort this process.
  comm::Stop run();

 private:
  comm::Stop work();
  void train_as(const comm::Assignment& assignment);
  void join_cell(const comm::Assignment& assignment);
  void tell_what_is_not_shared() const;
  void help(const comm::Assignment& assignment);
  [[nodiscard]] PeerGroup peers_of(const comm::Assignment& assignment);
  void report(const std::exception_ptr& failure) const;  // to the master, who decides

  std::shared_ptr<StopRequest> stop_request_;
  WorkerParts parts_;
  MessageHandler handler_;
};

}  // namespace lipizz::worker
