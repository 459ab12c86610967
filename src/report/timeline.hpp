#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "report/run_event.hpp"

namespace lipizz::report {

/// All that workers did while a run went on, by its events. Times are seconds since the run first
/// began, without the pauses between an end and the resume that followed.
struct Timeline {
  enum class State : std::uint8_t { kSpare, kWorking, kHelping, kLate, kLost };
  struct Span {
    State state = State::kSpare;
    double begin_s = 0;
    double end_s = 0;
    std::uint32_t n_cells = 0;  // that it hosts
  };
  struct Row {
    Rank rank;
    std::string host;
    std::vector<Span> spans;  // in order, none of them empty
  };
  std::vector<Row> rows;  // of workers, by rank

  /// A fault, a move or an end; `text` tells of it in a sentence without its full stop.
  struct Mark {
    RunEvent::Kind kind = RunEvent::Kind::kBegun;
    double at_s = 0;
    std::string text;
    Rank rank{-1};  // below 0: of the whole run
  };
  std::vector<Mark> marks;  // in order

  /// When each generation was complete; NaN where no event tells.
  std::vector<double> done_s;  // [generation - 1]
  std::uint32_t n_starts = 0;
  std::uint32_t n_saved = 0;
  double end_s = 0;
};

/// Events in the order of their file. generations: those beyond are left out of done_s.
Timeline timeline_of(std::span<const RunEvent> events, Generation generations);

/// How long each generation took, from the end of the one before it, with the set-up of a resume
/// between them; NaN where that is not known.
std::vector<float> seconds_per_generation(const Timeline& timeline);

}  // namespace lipizz::report
