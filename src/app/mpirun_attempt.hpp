#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/child_process.hpp"
#include "app/launch_plan.hpp"
#include "app/session_folder.hpp"
#include "app/stop_signals.hpp"

namespace lipizz::app {

/// Lets mpirun's daemons start where Slurm still waits for those of a lost job.
inline constexpr const char* kOverlap = "SLURM_OVERLAP=1";

/// How often a process that is waited for is looked at.
inline constexpr auto kPause = std::chrono::milliseconds(50);

std::chrono::duration<double> since(std::chrono::steady_clock::time_point begin);

/// One mpirun from its start to its end.
class MpirunAttempt {
 public:
  /// Starts it. `run` is the folder of the run, `launch_id` the name by which a master that this
  /// launch has started holds it: what other runs do there is none of its business. ConfigError
  /// when it cannot be started.
  MpirunAttempt(const std::vector<std::string>& command, const SessionFolder& session,
                std::filesystem::path run, const std::string& launch_id);

  /// Returns when mpirun has ended. Passes a stop signal on as SIGUSR1, once; ends mpirun itself
  /// where the result is there, or the master gone, and it does not return.
  LaunchEnd wait(StopSignals& signals);

 private:
  using FileTime = std::optional<std::filesystem::file_time_type>;
  using Seconds = std::chrono::duration<double>;

  [[nodiscard]] FileTime result_written() const;
  [[nodiscard]] bool is_ours() const;
  [[nodiscard]] bool has_result() const;
  bool master_is_gone();
  LaunchEnd end(StopSignals& signals);
  [[nodiscard]] LaunchEnd ended_with(int exit_code) const;
  bool ends_within(Seconds patience, StopSignals& signals);

  std::filesystem::path run_;
  std::string launch_id_;
  std::filesystem::path exit_code_file_;
  FileTime written_before_;  // a run that trains on has a result from before
  FileTime taken_before_;    // and so has its lock
  bool was_there_ = false;   // the master has held the run's folder
  ChildProcess mpirun_;
};

}  // namespace lipizz::app
