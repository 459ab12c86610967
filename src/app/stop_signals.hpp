#pragma once

#include <csignal>
#include <string>

namespace lipizz::app {

/// The signals that ask a run to save itself and leave: SIGUSR1 (from a scheduler, ahead of time),
/// SIGTERM, SIGHUP (of a terminal that was closed, unless nohup has it ignored), and where no
/// launcher stands between, SIGINT from the keyboard.
///
/// Made in main's thread before any other thread: from then on these signals end nothing, they wait
/// until requested() looks.
class StopSignals {
 public:
  explicit StopSignals(bool with_interrupt);
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  /// The signals are the system's again; what has come until then is forgotten.
  ~StopSignals();

  /// `signal USR1` once one has come; empty before. Any one thread at a time. A second SIGINT ends
  /// the process at once.
  std::string requested();

 private:
  sigset_t signals_{};
  sigset_t before_{};
  int received_ = 0;
};

}  // namespace lipizz::app
