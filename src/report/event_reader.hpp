#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "grid/torus.hpp"
#include "report/growing_lines.hpp"
#include "report/run_event.hpp"

namespace lipizz::report {

/// Reads the events.jsonl of a run, also while it grows. Used by one thread.
class EventReader {
 public:
  /// The file need not be there yet.
  EventReader(std::filesystem::path file, grid::Torus torus);

  /// The events that were not returned before, in the order in which they happened. Nothing is ever
  /// taken from the file, so it only begins again where somebody else has shortened it.
  /// CheckpointError when it cannot be read.
  std::vector<RunEvent> read();

  /// Lines that had to be left out so far, because they are damaged.
  [[nodiscard]] std::uint64_t n_damaged() const { return lines_.n_damaged(); }

 private:
  GrowingLines lines_;
  grid::Torus torus_;
};

}  // namespace lipizz::report
