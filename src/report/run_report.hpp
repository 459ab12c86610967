#pragma once

#include <filesystem>

namespace lipizz::report {

/// Writes the report of the run in `run`, one self-contained page (page.hpp) of under 5 MB, to
/// `file`; empty means report.html in the run's folder. Nothing else in that folder changes.
/// Returns the path written to. ConfigError when `run` is no run's folder or `file` is something
/// else than a page of ours, CheckpointError when a file cannot be read or written.
std::filesystem::path write_run_report(const std::filesystem::path& run,
                                       const std::filesystem::path& file);

}  // namespace lipizz::report
