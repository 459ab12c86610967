#include "master/resumption.hpp"

#include <system_error>

#include "checkpoint/run_checkpoints.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "master/metrics_log.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

std::string of_generations(Generation start, const config::Experiment& experiment) {
  return "generation " + std::to_string(start) + " of " + std::to_string(experiment.generations);
}

}  // namespace

fs::path existing_run_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = fs::canonical(folder, failure);
  if (!failure && fs::is_regular_file(absolute / "config.json", failure)) return absolute;
  throw ConfigError("--resume " + folder.string() +
                    ": expected the folder of a run, with its config.json; found none");
}

Resumption find_resumption(const fs::path& folder, const config::Experiment& experiment) {
  Resumption found;
  found.folder = existing_run_folder(folder);
  const std::uint32_t n_cells = experiment.grid.rows * experiment.grid.columns;
  checkpoint::Lineage expected;
  expected.configuration = config::lineage_hash(experiment);
  expected.numerics = experiment.compute.numerics;
  const auto newest =
      checkpoint::RunCheckpoints(found.folder, n_cells)
          .newest_complete(MetricsLog::generations_in(found.folder / "metrics.jsonl", n_cells),
                           expected);
  found.notes = newest.skipped;
  found.start = newest.generation;
  if (found.start > experiment.generations) {
    throw ConfigError("--generations: the run in " + found.folder.string() +
                      " is already at the end of generation " + std::to_string(found.start) +
                      "; choose at least as many");
  }
  std::error_code failure;
  found.is_finished = found.start == experiment.generations &&
                      fs::is_regular_file(found.folder / "result.json", failure);
  found.notes.push_back(
      found.is_finished
          ? "the run in " + found.folder.string() + " has finished all its " +
                std::to_string(found.start) + " generations; --generations N lets it train on"
      : found.start == 0
          ? "nothing of " + found.folder.string() + " is saved: it starts from its seed again"
          : "resumed at the end of " + of_generations(found.start, experiment));
  return found;
}

}  // namespace lipizz::master
