#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grid/torus.hpp"
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
  [[nodiscard]] bool has_begun_again() const { return has_begun_again_; }
  /// Lines that had to be left out so far, because they are damaged.
  [[nodiscard]] std::uint64_t n_damaged() const { return n_damaged_; }

 private:
  std::filesystem::path file_;
  grid::Torus torus_;
  std::uint64_t offset_ = 0;  // of the first line that was not whole yet
  std::uint64_t n_damaged_ = 0;
  bool has_begun_again_ = false;
};

}  // namespace lipizz::report
