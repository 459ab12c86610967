#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "report/finished_run.hpp"

namespace lipizz::sweep {

/// Where a sweep keeps what: in one folder that all its hosts see.
///
///     runs/LEARNING_RATE-0.001_seed-1-0123456789abcdef/   of each run, as any run's
///     configs/0123456789abcdef.json                       what each was started with
///     logs/0123456789abcdef.log                           what each said on its console
///     claims/                                             who has which (sweep/claims.hpp)
///     report/                                             what `lipizz sweep report` writes
struct SweepFolder {
  std::filesystem::path root;

  [[nodiscard]] std::filesystem::path runs() const { return root / "runs"; }
  [[nodiscard]] std::filesystem::path claims() const { return root / "claims"; }
  [[nodiscard]] std::filesystem::path report() const { return root / "report"; }
  [[nodiscard]] std::filesystem::path config(const std::string& id) const {
    return root / "configs" / (id + ".json");
  }
  [[nodiscard]] std::filesystem::path log(const std::string& id) const {
    return root / "logs" / (id + ".log");
  }
};

/// The folders of runs that are there, by the id at the end of their names: a run is found again
/// though its sweep has got other axes, which changes the readable part. CheckpointError when they
/// cannot be listed.
std::map<std::string, std::filesystem::path> run_folders(const SweepFolder& folder);

/// All results that a run has left, with rising generations: the present one, and those that were
/// set aside when it trained on. CheckpointError when one is no result.
std::vector<report::FinishedRun> results_of(const std::filesystem::path& run);

/// The last generation that the run's metrics tell of as whole; 0: none.
Generation generation_reached(const std::filesystem::path& run, const grid::Torus& torus);

/// The last line of a log that begins with `lipizz: `, without that; empty where there is none.
std::string last_words(const std::filesystem::path& log);

/// When the run was last started, as its log tells: `2026-01-31T12:00:00Z`; empty where it does
/// not.
std::string last_start(const std::filesystem::path& log);

/// Adds a line to a log that tells of a start: when, by whom, and the command. CheckpointError.
void note_start(const std::filesystem::path& log, std::chrono::system_clock::time_point when,
                const std::string& command);

}  // namespace lipizz::sweep
