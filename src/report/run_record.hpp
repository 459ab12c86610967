#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/finished_run.hpp"
#include "report/history.hpp"
#include "report/result_details.hpp"
#include "report/run_configuration.hpp"
#include "report/run_event.hpp"
#include "report/sheets.hpp"

namespace lipizz::report {

/// All that a report tells of a run, as its folder has it.
struct RunRecord {
  std::filesystem::path folder;
  RunConfiguration configuration;
  std::optional<FinishedRun> result;     // nothing: it has not finished
  std::optional<ResultDetails> details;  // beside it
  History history;
  std::vector<RunEvent> events;
  std::uint64_t n_damaged_events = 0;
  std::vector<Sheet> sheets;        // all that there are
  std::optional<Sheet> grid_sheet;  // samples/grid.png
  bool has_best_mixture = false;    // mixture-best/ is there
};

/// Reads a run's folder and changes nothing in it; the run may go on meanwhile. ConfigError when it
/// is no run's folder, CheckpointError when one of its files cannot be read.
RunRecord read_run(const std::filesystem::path& folder);

/// The score of real samples among themselves, by the result or else by the events; NaN where
/// nothing tells.
double floor_of(const RunRecord& run);
/// How scores are taken; empty where nothing tells.
std::string metric_of(const RunRecord& run);

}  // namespace lipizz::report
