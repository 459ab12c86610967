#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/run_argument.hpp"
#include "checkpoint/cell_origin.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "grid/light_cone.hpp"

namespace lipizz::app {

/// A replay that is about to begin: what it computes, from where, and how much that is.
struct ReplayPlan {
  std::filesystem::path run;  // absolute
  config::Experiment experiment;
  comm::RunPlan run_plan;  // a worker for each thread
  RunMetrics metrics;      // of the run
  std::vector<CellId> targets;
  bool is_of_one_cell = false;
  bool is_final = false;  // the run's last generation: with the final mixtures
  grid::LightCone cone;
  double cpu_s = 0;  // estimated; NaN: no line of metrics tells
  std::optional<checkpoint::Lineage> expected;
  std::vector<std::string> notes;  // saved generations that would be nearer and cannot be used

  [[nodiscard]] Generation generation() const { return cone.last(); }
  [[nodiscard]] std::size_t n_threads() const { return run_plan.devices.size() - 1; }
};

/// Looks at the run and at this machine. ConfigError when there is no such run, cell or generation,
/// when the run is asynchronous or was trained on a GPU, and where this machine or build does not
/// offer what the run was computed with; CheckpointError when what is saved belongs to a run of
/// another configuration.
ReplayPlan plan_replay(const CommandLine& line);

/// Two lines that say how much it will compute, from where, and the cost.
std::string described(const ReplayPlan& plan);

/// `7.5`, with three digits.
std::string seconds_text(double seconds);

/// `cell 1,2` or `all cells`
std::string name_of_targets(const ReplayPlan& plan);

}  // namespace lipizz::app
