#include "app/lost_processes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

namespace lipizz::app::lost_processes_test {
namespace {

// Runs `body` in a child of this process.
template <class Body>
pid_t fork_to(Body body) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  body();
  _exit(0);
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

bool is_left(pid_t child) {
  int status = 0;
  return waitpid(child, &status, WNOHANG) == 0;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  status_of(child);
}

void end_lost(pid_t pid) {
  end_lost_siblings(std::vector{static_cast<std::uint32_t>(pid)});
}

// Like a rank that sleeps for good.
pid_t stopped() {
  const pid_t child = fork_to([] { raise(SIGSTOP); });
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  return child;
}

// A child that runs another program by now.
pid_t another_program() {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t child = fork_to([] { execlp("sleep", "sleep", "100000", nullptr); });
  close(ends[1]);
  char nothing = 0;
  EXPECT_EQ(read(ends[0], &nothing, 1), 0) << "closed when the program begins";
  close(ends[0]);
  return child;
}

TEST(LostProcesses, a_stopped_one_of_the_same_parent_and_program_is_killed) {
  const pid_t lost = stopped();
  const pid_t other = stopped();
  const pid_t rank = fork_to([&] { end_lost(lost); });
  EXPECT_EQ(status_of(rank), 0);
  const int status = status_of(lost);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(is_left(other)) << "nobody named it";
  end(other);
}

TEST(LostProcesses, another_program_is_left_alone) {
  const pid_t other = another_program();
  EXPECT_EQ(status_of(fork_to([&] { end_lost(other); })), 0);
  EXPECT_TRUE(is_left(other));
  end(other);
}

TEST(LostProcesses, one_of_another_parent_is_left_alone) {
  const pid_t stranger = stopped();
  const pid_t another_parent = fork_to([&] { status_of(fork_to([&] { end_lost(stranger); })); });
  EXPECT_EQ(status_of(another_parent), 0);
  EXPECT_TRUE(is_left(stranger));
  end(stranger);
}

TEST(LostProcesses, one_that_is_gone_is_no_error) {
  const pid_t gone = stopped();
  end(gone);
  EXPECT_EQ(status_of(fork_to([&] { end_lost(gone); })), 0);
  EXPECT_EQ(status_of(fork_to([] { end_lost_siblings({}); })), 0);
}

constexpr const char* kMark = "LIPIZZ_TEST_ORPHAN";
constexpr auto kAtOnce = std::chrono::seconds(0);

// A grandchild that runs a program with the mark by now, and whose parent has died.
template <class Exec>
pid_t orphan(const char* value, Exec exec) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t parent = fork_to([&] {
    setenv(kMark, value, 1);
    const pid_t grandchild = fork();
    if (grandchild == 0) exec();
    _exit(write(ends[1], &grandchild, sizeof grandchild) == sizeof grandchild ? 0 : 1);
  });
  close(ends[1]);
  EXPECT_EQ(status_of(parent), 0);
  pid_t grandchild = 0;
  EXPECT_EQ(read(ends[0], &grandchild, sizeof grandchild), sizeof grandchild);
  char nothing = 0;
  EXPECT_EQ(read(ends[0], &nothing, 1), 0) << "closed when the program begins";
  close(ends[0]);
  return grandchild;
}

// Another program.
void sleep_on() {
  execlp("sleep", "sleep", "100", nullptr);
}

// This program, as a rank is.
void run_test(const char* filter) {
  execl("/proc/self/exe", "rank", "--gtest_also_run_disabled_tests", filter, nullptr);
}

TEST(Orphans, DISABLED_a_rank_that_stands_still) {
  sleep(100);
}

int signal_that_ended(pid_t child) {
  const int status = status_of(child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(Orphans, ranks_that_leave_are_waited_for) {
  const Orphans orphans(std::string(kMark) + "=mine", std::chrono::minutes(1), kAtOnce);
  const pid_t rank = orphan("mine", [] { run_test("--gtest_filter=none"); });
  orphans.end();
  EXPECT_NE(kill(rank, 0), 0) << "it is no more";
}

TEST(Orphans, ranks_that_stay_are_killed) {
  const Orphans orphans(std::string(kMark) + "=mine", kAtOnce, kAtOnce);
  const pid_t rank = orphan("mine", [] { run_test("--gtest_filter=*stands_still"); });
  orphans.end();
  int status = SIGKILL;  // unless it has been let go already
  waitpid(rank, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(Orphans, those_with_the_mark_are_ended) {
  const Orphans orphans(std::string(kMark) + "=mine", kAtOnce, kAtOnce);
  const pid_t marked = orphan("mine", sleep_on);
  const pid_t other = orphan("another's", sleep_on);
  orphans.end();
  EXPECT_EQ(signal_that_ended(marked), SIGTERM);
  EXPECT_TRUE(is_left(other));
  end(other);
}

}  // namespace
}  // namespace lipizz::app::lost_processes_test
