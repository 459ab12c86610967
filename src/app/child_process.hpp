#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
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

  /// Its surroundings, other than the environment.
  struct Surroundings {
    Output output = Output::kInherited;     // of both kinds
    std::filesystem::path log = {};         // not empty: takes both kinds of output, at its end
    std::vector<std::uint32_t> cores = {};  // that it may use; empty: those of this process
  };

  /// `command`: the program, looked up in PATH, and its arguments. `environment`: NAME=VALUE, on
  /// top of this process's. ConfigError when it cannot be started.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& environment,
               const Surroundings& surroundings);
  /// With the output and the cores of this process.
  ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& environment)
      : ChildProcess(command, environment, Surroundings()) {}
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
