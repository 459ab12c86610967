#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "grid/torus.hpp"
#include "report/growing_lines.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {

/// Reads the metrics.jsonl of a run, also while it grows. Used by one thread.
class MetricsReader {
 public:
  /// The file need not be there yet.
  MetricsReader(std::filesystem::path file, grid::Torus torus);

  /// The lines that are whole and were not returned before, sorted by generation and cell as they
  /// stand there; from the first one again when the file has become shorter, which is what a resume
  /// does to it. CheckpointError when it cannot be read.
  std::vector<MetricsLine> read();

  /// True when the last read() began again.
  [[nodiscard]] bool has_begun_again() const { return lines_.has_begun_again(); }
  /// Lines that had to be left out so far, because they are damaged.
  [[nodiscard]] std::uint64_t n_damaged() const { return lines_.n_damaged(); }

 private:
  GrowingLines lines_;
  grid::Torus torus_;
};

}  // namespace lipizz::report
