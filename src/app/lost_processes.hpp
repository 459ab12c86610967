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
/// mpirun that dies leaves the agents by which it reached other hosts (ssh, srun), and one whose
/// host is cut off would wait for ever. Ranks leave by themselves.
class Orphans {
 public:
  /// `mark`: NAME=VALUE, in the environment of those that are meant. `patience`: for how long they
  /// may leave by themselves.
  Orphans(std::string mark, std::chrono::duration<double> patience);
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;
  /// Ends those that are left.
  ~Orphans();

  /// Sends SIGTERM to those that have not left in time, but for those that run this program. Called
  /// while no marked child that this process started itself is there.
  void end() const;

 private:
  [[nodiscard]] std::vector<pid_t> found() const;

  std::string mark_;
  std::chrono::duration<double> patience_;
};

}  // namespace lipizz::app
