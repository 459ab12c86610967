#pragma once

#include <memory>

#include "comm/communicator.hpp"

namespace lipizz::comm {

/// Ranks that are threads of one process. Messages are moved, not copied, but for shared
/// payloads; an arriving one wakes its receiver at once.
class ThreadWorld {
 public:
  /// 1 or more ranks.
  explicit ThreadWorld(int n_ranks);

  /// The world as `rank` sees it, for the thread that plays it. It outlives this object.
  [[nodiscard]] Communicator communicator(int rank);

  /// Every call of every rank throws CommError from now on, which names `rank` and the code of the
  /// first abort. Needs no memory. Any thread.
  void abort(int rank, int exit_code) noexcept;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// One rank alone: a ThreadWorld of one, which can send messages to itself.
[[nodiscard]] Communicator self_communicator();

}  // namespace lipizz::comm
