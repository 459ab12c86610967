#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::master {

/// The lines of a metrics.jsonl that a run goes on with.
struct MetricsLines {
  Generation generations = 0;  // of which all lines are there
  /// Lines among them, counted from 1, whose checksum does not fit (checkpoint/checked_line.hpp).
  /// These are lost; the lines behind them are not.
  std::vector<std::uint64_t> damaged;
};

/// Reads to the last line that is whole and of the generation and cell that its place says. Where
/// there is no file, there are no lines. CheckpointError when it cannot be read.
MetricsLines read_metrics_lines(const std::filesystem::path& path, std::uint32_t n_cells);

/// Drops what follows the first `n_lines` lines, which is set aside first (master/set_aside.hpp).
/// CheckpointError when the file has not so many.
void keep_metrics_lines(const std::filesystem::path& path, std::uint64_t n_lines);

}  // namespace lipizz::master
