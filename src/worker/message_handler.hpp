#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "worker/lease.hpp"
#include "worker/worker_parts.hpp"

namespace lipizz::worker {

/// Takes a worker's messages: answers heartbeats at once, and puts all else where the training
/// thread finds it.
class MessageHandler {
 public:
  /// The parts must outlive it. `when_left_early` hears the exit code of a run that is left early.
  MessageHandler(WorkerParts& parts, std::function<void(std::int32_t)> when_left_early);

  /// For CommManager::start(); they refer to this.
  [[nodiscard]] comm::CommManager::Handlers handlers();

  /// Any thread: whatever is held of this worker's cells is saved, and the master told; returns at
  /// once.
  void flush();

 private:
  void handle(comm::Message message);
  [[nodiscard]] comm::Status status() const;
  void take(comm::Assignment assignment);
  void hand_over_copies(const comm::Assignment& assignment);
  void keep(comm::CellCopy copy);
  void lose(Rank rank);
  void drop_before(Generation generation);
  void follow(const comm::Directive& directive);
  void stop(const comm::Stop& stop);
  void leave(double silent_s);
  void lose_contact(const std::exception_ptr& failure);

  WorkerParts& parts_;
  std::function<void(std::int32_t)> when_left_early_;
  Lease lease_;  // the last member: its thread uses the others
};

}  // namespace lipizz::worker
