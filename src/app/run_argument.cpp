#include "app/run_argument.hpp"

#include <fmt/format.h>

#include <system_error>

#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "master/run_folder.hpp"
#include "report/metrics_reader.hpp"
#include "report/run_folders.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_without_run(std::string_view command, const fs::path& folder,
                                   std::string_view found) {
  throw ConfigError(
      fmt::format("{} {}: expected the folder of a run, with its config.json; found {}", command,
                  shortened(folder.string()), found));
}

}  // namespace

fs::path run_folder(std::string_view command, const fs::path& folder) {
  std::error_code failure;
  const fs::path absolute = fs::canonical(folder, failure);
  if (!failure && master::has_begun(absolute)) return absolute;
  const bool is_there = fs::exists(folder, failure);
  fail_without_run(command, folder, is_there ? "something else" : "nothing");
}

fs::path trained_folder(std::string_view command, const fs::path& folder) {
  fs::path found = run_folder(command, folder);
  if (report::is_ensemble_folder(found)) fail_without_run(command, folder, "an ensemble of runs");
  return found;
}

config::Experiment experiment_of_run(const fs::path& folder) {
  config::Experiment experiment;
  config::apply_file(folder / "config.json", experiment);
  return experiment;
}

RunMetrics metrics_of_run(const fs::path& folder, const grid::Torus& torus) {
  report::MetricsReader reader(folder / "metrics.jsonl", torus);
  RunMetrics metrics{.lines = reader.read()};
  metrics.n_damaged = reader.n_damaged();
  return metrics;
}

CellId parse_cell(std::string_view what, const std::string& text, const grid::Torus& torus) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() == 2) {
    const auto row = parse_number<std::uint32_t>(parts[0]);
    const auto column = parse_number<std::uint32_t>(parts[1]);
    if (row && column && *row < torus.rows && *column < torus.columns) {
      return torus.cell(*row, *column);
    }
  }
  throw ConfigError(
      fmt::format("{}: expected ROW,COLUMN of a cell, from 0,0 to {},{}; found \"{}\"", what,
                  torus.rows - 1, torus.columns - 1, shortened(text)));
}

Generation parse_generation(const std::string& text, Generation newest) {
  const auto generation = parse_number<Generation>(text);
  if (generation && *generation <= newest) return *generation;
  throw ConfigError(
      fmt::format("--generation: expected a whole number up to {}, to which the run "
                  "has come; found \"{}\"",
                  newest, shortened(text)));
}

}  // namespace lipizz::app
