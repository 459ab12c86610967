#include "app/child_process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "app/stop_signals.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  // execvp() takes them as they have always been declared, and leaves them alone.
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// The file that takes the output; -1: it goes where this process's goes.
int output_of(const ChildProcess::Surroundings& surroundings, int nothing) {
  if (surroundings.output == ChildProcess::Output::kNone) return nothing;
  if (surroundings.log.empty()) return -1;
  return open(surroundings.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

// Where it may use none of them it keeps those that it has.
void keep_to(const std::vector<std::uint32_t>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::uint32_t core : cores) CPU_SET(core, &set);
  if (!cores.empty()) static_cast<void>(sched_setaffinity(0, sizeof set, &set));
}

// In the new process; tells the old one through `failure` why it could not become the program.
[[noreturn]] void become(char* const* command, const std::vector<std::string>& environment,
                         const ChildProcess::Surroundings& surroundings, pid_t parent,
                         int failure) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : kFailingWrites) std::signal(signal, SIG_DFL);
  keep_to(surroundings.cores);
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  const int output = output_of(surroundings, nothing);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
  execvp(command[0], command);
  const int reason = errno;
  static_cast<void>(!write(failure, &reason, sizeof reason));
  _exit(1);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::vector<std::string>& environment,
                           const Surroundings& surroundings) {
  const std::vector<char*> arguments = pointers(command);
  const pid_t parent = getpid();
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) throw ConfigError("cannot make a pipe");
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), environment, surroundings, parent, failure[1]);
  close(failure[1]);
  int reason = errno;
  const bool has_failed = pid_ < 0 || read(failure[0], &reason, sizeof reason) == sizeof reason;
  close(failure[0]);
  if (!has_failed) return;
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  throw ConfigError("cannot start " + command.front() + ": " + std::strerror(reason));
}

ChildProcess::~ChildProcess() {
  if (poll()) return;
  signal(SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<int> ChildProcess::poll() {
  int status = 0;
  if (exit_code_ || waitpid(pid_, &status, WNOHANG) != pid_) return exit_code_;
  exit_code_ = WIFSIGNALED(status) ? kEndedBySignal + WTERMSIG(status) : WEXITSTATUS(status);
  return exit_code_;
}

void ChildProcess::signal(int number) const {
  ::kill(pid_, number);
}

}  // namespace lipizz::app
