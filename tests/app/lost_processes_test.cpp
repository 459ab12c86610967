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

namespace lipizz::app {
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

// A grandchild that runs another program by now, and whose parent has died.
pid_t orphan(const char* value) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t parent = fork_to([&] {
    setenv(kMark, value, 1);
    const pid_t grandchild = fork();
    if (grandchild == 0) execlp("sleep", "sleep", "100000", nullptr);
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

TEST(Orphans, those_with_the_mark_are_ended) {
  const Orphans orphans(std::string(kMark) + "=mine", kAtOnce);
  const pid_t marked = orphan("mine");
  const pid_t other = orphan("another's");
  orphans.end();
  const int status = status_of(marked);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_TRUE(is_left(other));
  end(other);
}

}  // namespace
}  // namespace lipizz::app
