#pragma once

#include <exception>

#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "worker/lease.hpp"
#include "worker/worker_parts.hpp"

namespace lipizz::worker {

/// The communication thread's part of a worker: answers heartbeats at once, and puts all else where
/// the training thread finds it.
class MessageHandler {
 public:
  /// The parts must outlive it.
  explicit MessageHandler(WorkerParts& parts);

  /// For CommManager::start(); they refer to this.
  [[nodiscard]] comm::CommManager::Handlers handlers();

 private:
  void handle(const comm::Message& message);
  void take(comm::Assignment assignment);
  void hand_over_copies(const comm::Assignment& assignment);
  void keep(comm::CellCopy copy);
  void stop(const comm::Stop& stop);
  void leave(double silent_s);
  void lose_contact(const std::exception_ptr& failure);

  WorkerParts& parts_;
  Lease lease_;  // the last member: its thread uses the others
};

}  // namespace lipizz::worker
