#include "app/stop_signals.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace lipizz::app::stop_signals_test {
namespace {

bool is_blocked(int signal) {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 1;
}

TEST(StopSignals, nobody_has_asked_before_one_comes) {
  StopSignals signals;
  EXPECT_EQ(signals.requested(), "");
  EXPECT_EQ(signals.requested(), "");
}

TEST(StopSignals, each_is_seen_and_remembered_by_name) {
  for (const auto& [signal, name] :
       {std::pair{SIGUSR1, "signal USR1"}, std::pair{SIGTERM, "signal TERM"},
        std::pair{SIGHUP, "signal HUP"}, std::pair{SIGINT, "signal INT"},
        std::pair{SIGUSR2, "signal USR2"}, std::pair{SIGXCPU, "signal XCPU"}}) {
    StopSignals signals;
    raise(signal);
    EXPECT_EQ(signals.requested(), name);
    EXPECT_EQ(signals.requested(), name) << "once asked, it stays asked";
  }
}

// As of `lipizz | head -1`.
TEST(StopSignals, a_pipe_that_nobody_reads_ends_nothing) {
  const StopSignals signals;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

TEST(StopSignals, the_first_one_counts) {
  StopSignals signals;
  raise(SIGTERM);
  EXPECT_EQ(signals.requested(), "signal TERM");
  raise(SIGUSR1);
  raise(SIGINT);
  EXPECT_EQ(signals.requested(), "signal TERM");
  EXPECT_EQ(signals.requested(), "signal TERM");
}

// As they come from outside: to the process, while the run goes on in other threads.
TEST(StopSignals, of_the_process_are_seen_by_whichever_thread_looks) {
  StopSignals signals;
  kill(getpid(), SIGUSR1);
  std::string seen;
  std::jthread([&] { seen = signals.requested(); }).join();
  EXPECT_EQ(seen, "signal USR1");
}

TEST(StopSignals, a_closed_terminal_is_nothing_under_nohup) {
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignored, &before);
  {
    StopSignals signals;
    raise(SIGHUP);
    EXPECT_EQ(signals.requested(), "");
  }
  sigaction(SIGHUP, &before, nullptr);
}

TEST(StopSignals, end_nothing_while_somebody_looks_for_them) {
  const StopSignals signals;
  for (const int signal : {SIGINT, SIGUSR1, SIGUSR2, SIGTERM, SIGXCPU, SIGHUP}) {
    EXPECT_TRUE(is_blocked(signal));
  }
}

TEST(StopSignals, afterwards_everything_is_as_before_and_nothing_is_pending) {
  {
    StopSignals signals;
    raise(SIGTERM);
    EXPECT_EQ(signals.requested(), "signal TERM");
    raise(SIGUSR1);  // nobody looks at these two
    raise(SIGTERM);
  }
  sigset_t pending;
  sigpending(&pending);
  for (const int signal : {SIGUSR1, SIGTERM, SIGINT}) {
    EXPECT_FALSE(is_blocked(signal));
    EXPECT_EQ(sigismember(&pending, signal), 0);
  }
}

TEST(StopSignals, those_blocked_before_stay_so) {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, nullptr);
  { const StopSignals signals; }
  EXPECT_TRUE(is_blocked(SIGTERM));
  EXPECT_FALSE(is_blocked(SIGUSR1));
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
}

TEST(StopSignals, a_second_one_from_the_keyboard_ends_the_process_at_once) {
  const auto ask_twice = [] {
    StopSignals signals;
    raise(SIGINT);
    static_cast<void>(signals.requested());
    raise(SIGINT);
    static_cast<void>(signals.requested());
  };
  EXPECT_EXIT(ask_twice(), ::testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace lipizz::app::stop_signals_test
