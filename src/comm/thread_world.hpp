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

  /// The world as `rank` sees it, for the thread that plays it. It outlives this object. A second
  /// one of the same rank is for abort() only.
  [[nodiscard]] Communicator communicator(int rank);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// One rank alone: a ThreadWorld of one, which can send messages to itself.
[[nodiscard]] Communicator self_communicator();

}  // namespace lipizz::comm
