#include "worker/status_board.hpp"

#include <string>

#include "core/error.hpp"

namespace lipizz::worker {
namespace {

bool follows(comm::WorkerState next, comm::WorkerState present) {
  using enum comm::WorkerState;
  return next == kProcessing || next == kInactive || (present == kProcessing && next == kFinished);
}

}  // namespace

void StatusBoard::enter(comm::WorkerState next) {
  const std::scoped_lock lock(mutex_);
  if (!follows(next, status_.state)) {
    throw InternalError("a worker that is " + std::string(to_string(status_.state)) +
                        " cannot become " + std::string(to_string(next)));
  }
  status_.state = next;
}

void StatusBoard::begin(Generation generation) {
  const std::scoped_lock lock(mutex_);
  if (status_.state != comm::WorkerState::kProcessing) {
    throw InternalError("a worker that is " + std::string(to_string(status_.state)) +
                        " cannot begin generation " + std::to_string(generation));
  }
  status_.generation = generation;
}

comm::Status StatusBoard::status() const {
  const std::scoped_lock lock(mutex_);
  return status_;
}

}  // namespace lipizz::worker
