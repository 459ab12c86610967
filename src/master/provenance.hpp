#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "master/start_notes.hpp"

namespace lipizz::master {

/// How a run came about.
struct RunOrigin {
  std::vector<std::string> command;  // the program's name and its arguments, as they were typed
  std::string git;                   // the program's source, as git describes it; empty: not known
  StartNotes notes;
  std::string resume_command = "lipizz --resume";  // to be typed before the run's folder
};

/// When it was, of this process alone: what was done before a resume is not in it.
struct RunTimes {
  std::chrono::system_clock::time_point started;
  std::chrono::system_clock::time_point ended;
  double training_s = 0;  // from the first worker's data to the last cell's result
};

/// Where a result comes from; no part of what it is.
struct Provenance {
  RunOrigin origin;
  RunTimes times;
  std::string name;  // of the experiment
  std::string dataset;
  std::string model = "null";  // JSON: its name, or all of it
  std::uint64_t seed = 0;
  std::uint64_t configuration = 0;  // hash of the experiment as it was given
};

/// Takes the times of a run. Used by one thread.
class RunTimer {
 public:
  /// The run starts. The clock must outlive it.
  explicit RunTimer(const Clock& clock);
  /// The first call counts.
  void begin_training();
  /// The last call counts.
  void end_training();
  /// The run ends.
  [[nodiscard]] RunTimes times() const;

 private:
  const Clock& clock_;
  std::chrono::system_clock::time_point started_;
  std::optional<double> began_s_;
  double training_s_ = 0;
};

/// `2026-01-31T12:00:00Z`
std::string time_text(std::chrono::system_clock::time_point time);

}  // namespace lipizz::master
