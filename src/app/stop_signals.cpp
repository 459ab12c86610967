#include "app/stop_signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include "app/child_process.hpp"

namespace lipizz::app {
namespace {

std::string name_of(int signal) {
  switch (signal) {
    case SIGUSR1:
      return "signal USR1";
    case SIGTERM:
      return "signal TERM";
    case SIGHUP:
      return "signal HUP";
    case SIGINT:
      return "signal INT";
    default:
      return {};
  }
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

StopSignals::StopSignals(bool with_interrupt) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGUSR1);
  sigaddset(&signals_, SIGTERM);
  if (!is_ignored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  if (with_interrupt) sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

// A signal that nobody has looked at would end the process now, after its work is done.
StopSignals::~StopSignals() {
  const timespec at_once{0, 0};
  while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::string StopSignals::requested() {
  const timespec at_once{0, 0};
  const int signal = sigtimedwait(&signals_, nullptr, &at_once);
  if (signal == SIGINT && received_ == SIGINT) _exit(kEndedBySignal + SIGINT);
  if (signal > 0 && received_ == 0) received_ = signal;
  return name_of(received_);
}

}  // namespace lipizz::app
