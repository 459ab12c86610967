#include "sweep/progress.hpp"

#include <algorithm>
#include <utility>

#include "checkpoint/file_lock.hpp"
#include "core/error.hpp"

namespace lipizz::sweep {
namespace {

namespace fs = std::filesystem;

bool is_error(const ClaimEnd& end) {
  return end.exit_code != static_cast<int>(ExitCode::kDone) &&
         end.exit_code != static_cast<int>(ExitCode::kResumable);
}

RungResult rung_result(const report::FinishedRun& run) {
  return {.score = ScoreAt{.value = run.score.value, .kind = kind_of(run)}};
}

}  // namespace

std::size_t Progress::count(RunState state) const {
  return static_cast<std::size_t>(std::ranges::count(runs, state, &RunProgress::state));
}

const report::FinishedRun* result_at(const std::vector<report::FinishedRun>& results,
                                     Generation generation) {
  const auto found = std::ranges::find_if(
      results, [&](const report::FinishedRun& result) { return result.generations >= generation; });
  return found == results.end() ? nullptr : &*found;
}

const report::FinishedRun* enough(const Plan& plan, const PlannedRun& run,
                                  const std::vector<report::FinishedRun>& results,
                                  Generation generation) {
  return result_at(results, plan.has_patience(run.combination) ? 0 : generation);
}

std::string name_of(RunState state) {
  switch (state) {
    case RunState::kWaiting:
      return "waiting";
    case RunState::kRunning:
      return "running";
    case RunState::kStale:
      return "stale";
    case RunState::kAtRung:
      return "at a rung";
    case RunState::kFinished:
      return "finished";
    case RunState::kStopped:
      return "stopped early";
    case RunState::kFailed:
      return "failed";
  }
  throw InternalError("a state of a run without a name");
}

ProgressReader::ProgressReader(const Plan& plan, SweepFolder folder)
    : plan_(plan), folder_(std::move(folder)) {}

Progress ProgressReader::look(fs::file_time_type now) {
  // Claims first: a run whose claim has ended has its result in place.
  const std::map<std::string, LastClaim> claims = newest_claims(folder_.claims());
  const std::map<std::string, fs::path> folders = run_folders(folder_);
  Progress progress;
  std::map<std::string, std::size_t> place;
  std::vector<bool> failed;
  for (const PlannedRun& run : plan_.runs()) {
    const auto claim = claims.find(run.id);
    const auto found = folders.find(run.id);
    place[run.id] = progress.runs.size();
    progress.runs.push_back(seen(run, claim == claims.end() ? LastClaim{} : claim->second,
                                 found == folders.end() ? fs::path() : found->second));
    if (forgives_ && progress.runs.back().end) forgiven_[run.id] = progress.runs.back().claim.n;
    failed.push_back(has_failed(run, progress.runs.back()));
  }
  forgives_ = false;
  progress.halving = halve(plan_, [&](const PlannedRun& run, Generation generation) {
    const std::size_t index = place.at(run.id);
    const auto* const result = result_at(progress.runs[index].results, generation);
    if (result != nullptr) return std::optional(rung_result(*result));
    return failed[index] ? std::optional(RungResult{}) : std::nullopt;
  });
  for (std::size_t i = 0; i < progress.runs.size(); ++i) {
    RunProgress& run = progress.runs[i];
    const std::size_t combination = plan_.runs()[i].combination;
    run.target = progress.halving.target[combination];
    const bool is_there = enough(plan_, plan_.runs()[i], run.results, run.target) != nullptr;
    const bool is_stopped = progress.halving.stopped_at[combination] > 0;
    run.state = state_of(run, is_there, failed[i], now);
    if (run.state == RunState::kFinished && is_stopped) run.state = RunState::kStopped;
    if (run.state == RunState::kFinished && run.target != plan_.generations(combination)) {
      run.state = RunState::kAtRung;
    }
  }
  return progress;
}

RunProgress ProgressReader::seen(const PlannedRun& run, const LastClaim& claim,
                                 const fs::path& run_folder) {
  RunProgress progress;
  progress.folder = run_folder;
  progress.claim = claim;
  const auto known = complete_.find(run.id);
  if (known != complete_.end() && !run_folder.empty()) {
    progress.results = known->second;
  } else if (!run_folder.empty()) {
    progress.results = results_of(run_folder);
    const bool is_complete =
        enough(plan_, run, progress.results, plan_.generations(run.combination)) != nullptr;
    if (is_complete) complete_[run.id] = progress.results;
  }
  if (claim.n > 0 && claim.is_ended) {
    progress.end = end_of(folder_.claims(), run.id, claim.n);
  } else if (claim.n > 0) {
    progress.holder = holder_of(folder_.claims(), run.id, claim.n);
  }
  return progress;
}

bool ProgressReader::has_failed(const PlannedRun& run, const RunProgress& progress) const {
  const auto forgiven = forgiven_.find(run.id);
  if (forgiven != forgiven_.end() && forgiven->second >= progress.claim.n) return false;
  return progress.end && is_error(*progress.end);
}

// Finished means here that it has come to where it was to come to for now.
RunState ProgressReader::state_of(const RunProgress& progress, bool is_there, bool has_failed,
                                  fs::file_time_type now) {
  if (progress.holder) {
    // Whoever has lost the process that started it may still be saving.
    const bool is_held =
        !progress.folder.empty() && checkpoint::is_locked(progress.folder / ".lock");
    if (is_held || !is_stale(*progress.holder, now)) return RunState::kRunning;
    if (!is_there) return RunState::kStale;
  }
  if (is_there) return RunState::kFinished;
  return has_failed ? RunState::kFailed : RunState::kWaiting;
}

}  // namespace lipizz::sweep
