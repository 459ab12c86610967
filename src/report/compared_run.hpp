#pragma once

#include <filesystem>
#include <optional>

#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "report/finished_run.hpp"

namespace lipizz::report {

/// A run as a comparison knows it.
struct ComparedRun {
  std::filesystem::path folder;
  config::Experiment experiment;      // its effective configuration
  std::optional<FinishedRun> result;  // nothing: it has not finished
  Generation reached = 0;             // by all cells, as metrics.jsonl tells, of an unfinished run
};

/// Reads a run's folder and changes nothing there. ConfigError when its config.json is not the
/// configuration of a run; CheckpointError when its result.json is not the result of one.
ComparedRun read_compared_run(const std::filesystem::path& folder);

/// The generation that the last whole line of a metrics.jsonl tells of, of which only the end is
/// read; 0 where there is none.
Generation last_generation(const std::filesystem::path& metrics_file, const grid::Torus& torus);

}  // namespace lipizz::report
