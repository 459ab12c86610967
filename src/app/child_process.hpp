#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace lipizz::app {

/// Added to the number of the signal that ended a program, this is its exit code, as shells have
/// it.
inline constexpr int kEndedBySignal = 128;

/// A program started by this one, in a process group of its own: the keyboard's signals do not
/// reach it. It gets SIGTERM when this process dies, and nothing on its standard input.
class ChildProcess {
 public:
  enum class Output { kInherited, kNone };

  /// `command`: the program, looked up in PATH, and its arguments. `environment`: NAME=VALUE, on
  /// top of this process's. `output`: of both kinds. ConfigError when it cannot be started.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& environment,
               Output output = Output::kInherited);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills it, if it is still there.
  ~ChildProcess();

  /// Its exit code once it has ended.
  std::optional<int> poll();
  void signal(int number) const;

 private:
  pid_t pid_;
  std::optional<int> exit_code_;
};

}  // namespace lipizz::app
