#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lipizz::app {

/// Kills those of `pids` on this host that still are what they were: children of this process's
/// parent, running this program. A rank that was given up may only be stopped, and its launcher
/// would wait for it for ever.
void end_lost_siblings(std::span<const std::uint32_t> pids);

/// While it lives, descendants of this process that lose their parent become its children. An
/// mpirun that dies leaves its ranks, which save what they hold and leave by themselves, and the
/// agents by which it reached other hosts (ssh, srun), of which one whose host is cut off would
/// wait for ever.
class Orphans {
 public:
  using Seconds = std::chrono::duration<double>;

  /// `mark`: NAME=VALUE, in the environment of those that are meant. `for_ranks`, `for_others`: for
  /// how long processes that run this program, and others, may leave by themselves.
  Orphans(std::string mark, Seconds for_ranks, Seconds for_others);
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;
  /// Ends those that are left.
  ~Orphans();

  /// Returns once they have left, or been ended: ranks by SIGKILL, others by SIGTERM. Called while
  /// no marked child that this process started itself is there.
  void end() const;

 private:
  enum class Kind { kRank, kOther };

  [[nodiscard]] std::vector<pid_t> found(Kind kind) const;

  std::string mark_;
  Seconds for_ranks_;
  Seconds for_others_;
};

}  // namespace lipizz::app
