#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "grid/torus.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::app {

/// Commands that look at a run read these from their command line and from the run's folder.

/// The absolute path of a run's folder; ConfigError that begins with the command's name when there
/// is no such folder, or no config.json in it.
std::filesystem::path run_folder(std::string_view command, const std::filesystem::path& folder);

/// The same, and ConfigError for an ensemble of runs, which was never trained itself.
std::filesystem::path trained_folder(std::string_view command, const std::filesystem::path& folder);

/// The run's configuration, as its folder has it. ConfigError.
config::Experiment experiment_of_run(const std::filesystem::path& folder);

/// All its lines of metrics that are whole, sorted by generation and cell.
struct RunMetrics {
  std::vector<report::MetricsLine> lines;
  std::uint64_t n_damaged = 0;
  [[nodiscard]] Generation newest() const { return lines.empty() ? 0 : lines.back().generation; }
};
RunMetrics metrics_of_run(const std::filesystem::path& folder, const grid::Torus& torus);

/// `1,2`, a row and a column that the grid has. ConfigError beginning with `what`.
CellId parse_cell(std::string_view what, const std::string& text, const grid::Torus& torus);

/// A generation from 0 to `newest`, to which the run has come. ConfigError.
Generation parse_generation(const std::string& text, Generation newest);

}  // namespace lipizz::app
