#pragma once

#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <thread>

#include "core/stop_request.hpp"

namespace lipizz::app {

/// The signals of a write that fails.
inline constexpr std::array kFailingWrites{SIGPIPE, SIGXFSZ};

/// The signals that ask a run to save itself and leave: SIGINT (from the keyboard, or of a launcher
/// that hands it on as srun does), SIGUSR1, SIGUSR2 and SIGXCPU (from a scheduler, ahead of time),
/// SIGTERM, and SIGHUP (of a terminal that was closed, unless nohup has it ignored). A write that
/// fails, to a pipe that nobody reads or beyond the limit on a file's size, is an error like any
/// other meanwhile, and no signal.
///
/// Made in main's thread before any other thread: from then on these signals end nothing, they wait
/// until requested() looks, or a StopWatch.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  /// The signals are the system's again; what has come until then is forgotten.
  ~StopSignals();

  /// `signal USR1` once one has come; empty before. Any one thread at a time. A second SIGINT ends
  /// the process at once.
  std::string requested();

 private:
  friend class StopWatch;
  [[nodiscard]] std::string take(int signal);

  sigset_t signals_{};
  sigset_t before_{};
  int received_ = 0;
};

/// From now on the end of the process that started this one, a launcher say, counts as SIGTERM.
void take_orphanhood_for_sigterm();

/// Sleeps until a stop signal comes, and asks the run to stop at once; a second SIGINT ends the
/// process. Meanwhile nobody else looks at the signals.
class StopWatch {
 public:
  /// The signals must outlive it.
  StopWatch(StopSignals& signals, std::shared_ptr<StopRequest> request);
  ~StopWatch();

 private:
  void watch();

  StopSignals& signals_;
  std::shared_ptr<StopRequest> request_;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace lipizz::app
