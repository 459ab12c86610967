#include "report/run_record.hpp"

#include <algorithm>
#include <limits>
#include <system_error>

#include "report/event_reader.hpp"

namespace lipizz::report {
namespace {

namespace fs = std::filesystem;

// The newest event of this kind; null where there is none.
const RunEvent* newest(const RunRecord& run, RunEvent::Kind kind) {
  const auto found = std::find_if(run.events.rbegin(), run.events.rend(),
                                  [&](const RunEvent& event) { return event.kind == kind; });
  return found == run.events.rend() ? nullptr : &*found;
}

std::optional<Sheet> sheet_at(const fs::path& file, Generation generation) {
  std::error_code none;
  const std::uint64_t n_bytes = fs::is_regular_file(file, none) ? fs::file_size(file, none) : 0;
  if (none || n_bytes == 0) return std::nullopt;
  return Sheet{file, generation, true, n_bytes};
}

}  // namespace

RunRecord read_run(const fs::path& folder) {
  RunConfiguration configuration = read_run_configuration(folder);
  const grid::Torus torus = configuration.torus;
  RunRecord run{.folder = folder,
                .configuration = std::move(configuration),
                .result = read_finished_run(folder, torus),
                .details = read_result_details(folder),
                .history = read_history(folder / "metrics.jsonl", torus),
                .events = {},
                .sheets = {},
                .grid_sheet = {}};
  EventReader events(folder / "events.jsonl", torus);
  run.events = events.read();
  run.n_damaged_events = events.n_damaged();
  const Generation last =
      std::max(run.history.generations(), run.result ? run.result->generations : 0);
  run.sheets = sheets_in(folder / "samples", last);
  run.grid_sheet = sheet_at(folder / "samples" / "grid.png", last);
  std::error_code none;
  run.has_best_mixture = fs::is_directory(folder / "mixture-best", none);
  return run;
}

double floor_of(const RunRecord& run) {
  if (run.result) return run.result->score.floor;
  const RunEvent* told = newest(run, RunEvent::Kind::kScoring);
  return told != nullptr ? told->floor : std::numeric_limits<double>::quiet_NaN();
}

std::string metric_of(const RunRecord& run) {
  if (run.result) return run.result->score.metric;
  const RunEvent* told = newest(run, RunEvent::Kind::kScoring);
  return told != nullptr ? told->metric : std::string();
}

}  // namespace lipizz::report
