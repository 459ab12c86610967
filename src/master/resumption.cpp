#include "master/resumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <system_error>

#include "checkpoint/run_checkpoints.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "master/metrics_lines.hpp"
#include "master/run_folder.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;

std::string of_generations(Generation start, const config::Experiment& experiment) {
  return "generation " + std::to_string(start) + " of " + std::to_string(experiment.generations);
}

// As many as one line has room for.
std::string enumerated(const std::vector<std::string>& reasons) {
  constexpr std::size_t kShown = 3;
  const std::size_t n_shown = std::min(kShown, reasons.size());
  std::string text = join(std::span(reasons).first(n_shown), "; ");
  if (reasons.size() > n_shown) text += fmt::format("; and {} more", reasons.size() - n_shown);
  return text;
}

[[noreturn]] void refuse_unusable(const fs::path& folder, const std::vector<std::string>& reasons) {
  throw CheckpointError(
      fmt::format("{} has saved generations, and none of them can be used: {}. Put that right and "
                  "resume again, "
                  "or let the run begin again from its seed: lipizz --resume {} --from-seed",
                  folder.string(), enumerated(reasons), folder.string()));
}

// The lines of metrics; `reasons` tells where they cannot be read.
MetricsLines lines_of(const fs::path& metrics, std::uint32_t n_cells,
                      std::vector<std::string>& reasons) {
  try {
    return read_metrics_lines(metrics, n_cells);
  } catch (const CheckpointError& error) {
    reasons.emplace_back(error.what());
    return {};
  }
}

std::string damage_of(const fs::path& metrics, std::uint64_t line) {
  return fmt::format("{}: line {} is damaged, its checksum does not fit; it stays as it is",
                     metrics.string(), line);
}

std::string where_it_goes_on(const Resumption& found, const config::Experiment& experiment) {
  const std::string folder = found.folder.string();
  if (found.is_finished) {
    return fmt::format("the run in {} has finished {}; --generations N lets it train on", folder,
                       found.start == 1 ? "its one generation"
                                        : fmt::format("all its {} generations", found.start));
  }
  if (found.is_begun_again)
    return "nothing that " + folder + " has saved can be used: it begins again from its seed";
  if (found.start == 0) return "nothing of " + folder + " is saved: it starts from its seed again";
  return "resumed at the end of " + of_generations(found.start, experiment);
}

}  // namespace

fs::path existing_run_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = fs::canonical(folder, failure);
  if (!failure && has_begun(absolute)) return absolute;
  throw ConfigError("--resume " + folder.string() +
                    ": expected the folder of a run, with its config.json; found none");
}

Resumption find_resumption(const fs::path& folder, const config::Experiment& experiment,
                           Unusable unusable) {
  Resumption found;
  found.folder = existing_run_folder(folder);
  const std::uint32_t n_cells = experiment.grid.rows * experiment.grid.columns;
  const fs::path metrics = found.folder / "metrics.jsonl";
  const MetricsLines lines = lines_of(metrics, n_cells, found.notes);
  const bool is_readable = found.notes.empty();
  checkpoint::Lineage expected;
  expected.configuration = config::lineage_hash(experiment);
  expected.numerics = experiment.compute.numerics;
  const auto newest = checkpoint::RunCheckpoints(found.folder, n_cells)
                          .newest_complete(lines.generations, expected);
  append(found.notes, newest.skipped);
  found.start = newest.generation;
  found.is_begun_again = found.start == 0 && (newest.was_saved || !is_readable);
  if (found.is_begun_again && unusable == Unusable::kRefuse) {
    refuse_unusable(found.folder, found.notes);
  }
  if (found.start > experiment.generations) {
    throw ConfigError("--generations: the run in " + found.folder.string() +
                      " is already at the end of generation " + std::to_string(found.start) +
                      "; choose at least as many");
  }
  std::error_code failure;
  found.is_finished = found.start == experiment.generations &&
                      fs::is_regular_file(found.folder / "result.json", failure);
  for (const std::uint64_t line : lines.damaged) {
    if (line <= std::uint64_t{found.start} * n_cells)
      found.notes.push_back(damage_of(metrics, line));
  }
  found.notes.push_back(where_it_goes_on(found, experiment));
  return found;
}

}  // namespace lipizz::master
