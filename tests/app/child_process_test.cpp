#include "app/child_process.hpp"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::child_process_test {
namespace {

int exit_code_of(ChildProcess& child) {
  while (!child.poll()) std::this_thread::yield();
  return *child.poll();
}

int run(const std::string& script, const std::vector<std::string>& environment = {}) {
  ChildProcess child({"sh", "-c", script}, environment);
  return exit_code_of(child);
}

TEST(ChildProcess, gives_its_exit_code) {
  EXPECT_EQ(run("exit 0"), 0);
  EXPECT_EQ(run("exit 75"), 75);
  EXPECT_EQ(run("kill -KILL $$"), 128 + SIGKILL);
}

TEST(ChildProcess, gets_its_arguments_and_environment_and_no_input) {
  ChildProcess child({"sh", "-c", "test \"$1\" = 'two words'", "sh", "two words"}, {});
  EXPECT_EQ(exit_code_of(child), 0);
  EXPECT_EQ(run("test \"$LIPIZZ_TEST\" = here", {"LIPIZZ_TEST=here"}), 0);
  EXPECT_EQ(run("read line"), 1) << "at the end of the file at once";
}

TEST(ChildProcess, is_in_a_group_of_its_own) {
  EXPECT_EQ(run("test $(ps -o pgid= $$) != " + std::to_string(getpgrp())), 0);
}

TEST(ChildProcess, can_be_signalled) {
  ChildProcess child({"sh", "-c", "trap 'exit 7' USR1; echo > $0; while :; do :; done",
                      ::testing::TempDir() + "lipizz_child_is_ready"},
                     {});
  while (!std::ifstream(::testing::TempDir() + "lipizz_child_is_ready")) std::this_thread::yield();
  child.signal(SIGUSR1);
  EXPECT_EQ(exit_code_of(child), 7);
  std::remove((::testing::TempDir() + "lipizz_child_is_ready").c_str());
}

TEST(ChildProcess, blocked_signals_are_not_inherited) {
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
  EXPECT_EQ(run("kill -USR1 $$; exit 0"), 128 + SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &usr1, nullptr);
}

TEST(ChildProcess, is_killed_when_nobody_waits_for_it) {
  { const ChildProcess child({"sleep", "100000"}, {}); }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST(ChildProcess, a_program_that_is_not_there_is_an_error) {
  EXPECT_THROW(ChildProcess({"lipizz-has-no-such-program"}, {}), ConfigError);
}

TEST(ChildProcess, its_output_goes_behind_what_a_log_holds) {
  const TemporaryFolder folder;
  const std::filesystem::path log = folder / "log";
  std::ofstream(log) << "before\n";
  ChildProcess child({"sh", "-c", "echo out; echo complaint >&2"}, {}, {.log = log});
  EXPECT_EQ(exit_code_of(child), 0);
  std::stringstream text;
  text << std::ifstream(log).rdbuf();
  EXPECT_EQ(text.str(), "before\nout\ncomplaint\n");
}

TEST(ChildProcess, keeps_to_its_cores) {
  cpu_set_t own;
  sched_getaffinity(0, sizeof own, &own);
  std::uint32_t last = 0;
  for (std::uint32_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &own)) last = core;
  }
  const std::string wanted = std::to_string(last);
  ChildProcess child({"sh", "-c", "grep -qx \"Cpus_allowed_list:.$0\" /proc/self/status", wanted},
                     {}, {.cores = {last}});
  EXPECT_EQ(exit_code_of(child), 0);
}

}  // namespace
}  // namespace lipizz::app::child_process_test
