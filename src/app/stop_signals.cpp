#include "app/stop_signals.hpp"

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <utility>

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
    case SIGUSR2:
      return "signal USR2";
    case SIGXCPU:
      return "signal XCPU";
    default:
      return {};
  }
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// One of ours, which a watch ends by.
int end_of_watch() {
  return SIGRTMIN;
}

}  // namespace

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGUSR1, SIGUSR2, SIGTERM, SIGXCPU})
    sigaddset(&signals_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  sigset_t blocked = signals_;
  sigaddset(&blocked, SIGCONT);         // after which a terminal is drawn anew (app/terminal.hpp)
  sigaddset(&blocked, end_of_watch());  // before a watch begins, whose thread inherits it
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  for (const int signal : kFailingWrites) std::signal(signal, SIG_IGN);
}

// A signal that nobody has looked at would end the process now, after its work is done.
StopSignals::~StopSignals() {
  const timespec at_once{0, 0};
  while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  for (const int signal : kFailingWrites) std::signal(signal, SIG_DFL);
}

std::string StopSignals::requested() {
  const timespec at_once{0, 0};
  return take(sigtimedwait(&signals_, nullptr, &at_once));
}

std::string StopSignals::take(int signal) {
  if (signal == SIGINT && received_ == SIGINT) _exit(kEndedBySignal + SIGINT);
  if (signal > 0 && received_ == 0) received_ = signal;
  return name_of(received_);
}

void take_orphanhood_for_sigterm() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

StopWatch::StopWatch(StopSignals& signals, std::shared_ptr<StopRequest> request)
    : signals_(signals), request_(std::move(request)), thread_([this] { watch(); }) {}

StopWatch::~StopWatch() {
  pthread_kill(thread_.native_handle(), end_of_watch());
}

void StopWatch::watch() {
  sigset_t watched = signals_.signals_;
  sigaddset(&watched, end_of_watch());
  int signal = 0;
  while (sigwait(&watched, &signal) == 0 && signal != end_of_watch()) {
    request_->ask(signals_.take(signal));
  }
}

}  // namespace lipizz::app
