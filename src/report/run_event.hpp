#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::report {

/// Something that happens to a run as a whole: a line of its events.jsonl, which the master writes
/// and whoever watches or reports reads. A resume goes on behind the lines of before.
///
///     {"at_s":1769860800.125,"event":"late","rank":3,"silent_s":5.2,"check":"..."}
///
/// Which fields a kind has is said beside it; the others are as they begin.
struct RunEvent {
  enum class Kind : std::uint8_t {
    kBegun,       // rank 0 begins, or goes on: generation, generations, torus, hosts and, where it
                  // is not 1, ranks_per_cell
    kTraining,    // the data are open
    kScoring,     // what scores are: metric, judge, floor
    kGeneration,  // all cells have told of it: generation, cell and score of the best
    kLate,        // a worker does not answer: rank, silent_s
    kBack,        // it answers again: rank
    kMoved,       // cells move off slow workers: generation, text
    kLost,        // it is given up: rank
    kReturned,    // it was given up, and is a spare now: rank
    kAssigned,    // all cells go on from generation, each on the rank of rank_of_cell
    kSaved,       // every cell's state of generation
    kStopped,     // early and in order: text, the reason
    kFailed,      // text, the reason
    kFinished,
  };
  Kind kind = Kind::kBegun;
  double at_s = 0;  // since 1970, in whole milliseconds
  Generation generation = 0;
  Generation generations = 0;
  grid::Torus torus = {};
  struct Ranks {
    std::vector<std::string> hosts = {};  // of each; 0 is the master
    std::uint32_t per_cell = 1;           // a worker and its helpers
  } ranks = {};
  std::string metric = {};
  std::string judge = {};  // a hash in hexadecimal digits
  double floor = 0;        // what real samples score among themselves; NaN: not known
  CellId cell = {};
  double score = 0;  // NaN: no cell has one
  Rank rank = {};
  double silent_s = 0;
  std::vector<Rank> rank_of_cell = {};
  std::string text = {};
};

/// `begun`, `training` and so on, as the line names it.
const char* name_of(RunEvent::Kind kind);

/// The line, with its checksum (checkpoint/checked_line.hpp), without a line break.
std::string to_line(const RunEvent& event);

/// Reads a line without its line break. Nothing where it is damaged, is of a kind that is not
/// known, or tells of another grid or of a cell that is not on it.
std::optional<RunEvent> parse_run_event(std::string_view line, const grid::Torus& torus);

}  // namespace lipizz::report
