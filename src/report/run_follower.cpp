#include "report/run_follower.hpp"

#include "config/experiment.hpp"
#include "config/json.hpp"

namespace lipizz::report {
namespace {

grid::Torus torus_of_run(const std::filesystem::path& folder) {
  config::Experiment experiment;
  config::apply_file(folder / "config.json", experiment);
  return {experiment.grid.rows, experiment.grid.columns};
}

}  // namespace

RunFollower::RunFollower(const std::filesystem::path& folder)
    : folder_(folder),
      torus_(torus_of_run(folder)),
      events_(folder / "events.jsonl", torus_),
      metrics_(folder / "metrics.jsonl", torus_) {}

bool RunFollower::read(const OnEvent& on_event) {
  const std::vector<RunEvent> events = events_.read();
  for (const RunEvent& event : events) {
    take(event, state_);
    if (event.kind == RunEvent::Kind::kBegun) {
      hosts_ = event.ranks.hosts;
      metrics_ = MetricsReader(folder_ / "metrics.jsonl", torus_);  // the cells were forgotten
    }
    on_event(event);
  }
  const std::vector<MetricsLine> lines = metrics_.read();
  for (const MetricsLine& line : lines) take(line.cell, line.generation, line.score, state_);
  return !events.empty() || !lines.empty();
}

}  // namespace lipizz::report
