#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "report/event_reader.hpp"
#include "report/metrics_reader.hpp"
#include "report/run_state.hpp"

namespace lipizz::report {

/// Follows a run by the files that it writes, wherever it runs. Used by one thread.
class RunFollower {
 public:
  /// `folder` is that of a run. The files need not be there yet, but its configuration.
  /// ConfigError where that cannot be read.
  explicit RunFollower(const std::filesystem::path& folder);

  /// Hears of every event once, after it was taken into the state.
  using OnEvent = std::function<void(const RunEvent&)>;
  /// Reads what is new. True when anything was. CheckpointError when a file cannot be read.
  bool read(const OnEvent& on_event);

  [[nodiscard]] const RunState& state() const { return state_; }
  /// The hosts of the ranks, as told last.
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

 private:
  std::filesystem::path folder_;
  grid::Torus torus_;
  EventReader events_;
  MetricsReader metrics_;
  RunState state_;
  std::vector<std::string> hosts_;
};

}  // namespace lipizz::report
