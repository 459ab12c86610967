#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "comm/messages.hpp"
#include "worker/cell_copies.hpp"

namespace lipizz::worker {

/// Writes cells' files on a thread of its own, while training goes on.
class CellSaver {
 public:
  /// Writes one file; throws when it cannot.
  using Write = std::function<void(const EncodedCell&)>;
  /// Hears of every file that is written or failed.
  using Tell = std::function<void(const comm::Saved&)>;
  /// Both are called on the saver's thread.
  CellSaver(Write write, Tell tell);
  /// Writes what is still waiting.
  ~CellSaver();

  /// Bytes that wait to be written, of so many cells.
  static std::size_t bytes(std::size_t state_bytes, std::size_t n_hosted) {
    return n_hosted * state_bytes;
  }

  /// Waits while the cells of the call before have not been written: a slow disk slows training
  /// down rather than fill the memory.
  void save(std::vector<EncodedCell> cells);

 private:
  void run();

  Write write_;
  Tell tell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<EncodedCell> waiting_;
  bool is_ending_ = false;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace lipizz::worker
