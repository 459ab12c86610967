#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/finished_run.hpp"
#include "sweep/claims.hpp"
#include "sweep/halving.hpp"
#include "sweep/plan.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

enum class RunState {
  kWaiting,   // nobody has it, and it has something left to do
  kRunning,   // a process that lives has it
  kStale,     // a process that is gone had it: it may be taken over
  kAtRung,    // it waits for other runs to come to a rung
  kFinished,  // it has come to its last generation
  kStopped,   // it was stopped early, at a rung
  kFailed,    // it ended with an error
};

/// A run as its files show it.
struct RunProgress {
  RunState state = RunState::kWaiting;
  std::filesystem::path folder;  // empty: it has none yet
  std::vector<report::FinishedRun> results;
  Generation target = 0;  // to be trained to for now
  LastClaim claim;
  std::optional<Holder> holder;  // of a claim that has not ended
  std::optional<ClaimEnd> end;   // of its newest claim

  /// The newest result; null where there is none.
  [[nodiscard]] const report::FinishedRun* result() const {
    return results.empty() ? nullptr : &results.back();
  }
};

/// All runs of a plan, in its order.
struct Progress {
  std::vector<RunProgress> runs;
  Halving halving;

  [[nodiscard]] std::size_t count(RunState state) const;
};

/// Looks at a sweep from time to time. A run that has come to its end is not read again. Used by
/// one thread; the plan must outlive it.
class ProgressReader {
 public:
  ProgressReader(const Plan& plan, SweepFolder folder);

  /// `now` is the file server's clock. CheckpointError where something is there that cannot be
  /// read; ConfigError where runs cannot be ranked.
  Progress look(std::filesystem::file_time_type now);

  /// Lets runs that have failed be tried again, once: those that have until now.
  void forgive_failures() { forgives_ = true; }

 private:
  [[nodiscard]] RunProgress seen(const PlannedRun& run, const LastClaim& claim,
                                 const std::filesystem::path& run_folder);
  [[nodiscard]] bool has_failed(const PlannedRun& run, const RunProgress& progress) const;
  [[nodiscard]] static RunState state_of(const RunProgress& progress, bool is_there,
                                         bool has_failed, std::filesystem::file_time_type now);

  const Plan& plan_;
  SweepFolder folder_;
  std::map<std::string, std::vector<report::FinishedRun>> complete_;  // by id
  std::map<std::string, std::uint32_t> forgiven_;                     // claims, by id
  bool forgives_ = false;
};

/// The part of `results` that a rung is decided by: the first that is trained so far; null where
/// there is none.
const report::FinishedRun* result_at(const std::vector<report::FinishedRun>& results,
                                     Generation generation);

/// The result with which a run that is to be trained so far is done with that: of one with patience
/// any; null where there is none.
const report::FinishedRun* enough(const Plan& plan, const PlannedRun& run,
                                  const std::vector<report::FinishedRun>& results,
                                  Generation generation);

/// `waiting`, `running` ...
std::string name_of(RunState state);

}  // namespace lipizz::sweep
