#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "grid/torus.hpp"
#include "report/run_event.hpp"

namespace lipizz::report {

/// A run while it goes on, as far as its events and the scores of its cells tell. Plain values;
/// take() keeps them up to date. Times are in seconds since 1970.
struct RunState {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  enum class Phase { kSettingUp, kTraining, kStopped, kFailed, kFinished };
  Phase phase = Phase::kSettingUp;
  std::string reason;  // of the end, where it did not finish

  grid::Torus torus;
  Generation generations = 0;
  Generation generation = 0;  // all cells have told of it
  Generation saved = 0;       // 0: none yet

  struct Scoring {
    std::string metric;    // empty: not known yet
    double floor = kNone;  // of real samples among themselves
  };
  Scoring scoring;

  /// The best of all cells in a generation.
  struct Best {
    Generation generation;
    CellId cell;
    double score;
  };
  std::vector<Best> improvements;  // each better than those before it
  std::optional<Best> latest;      // with a score

  struct Cell {
    Generation generation = 0;
    double score = kNone;  // the last one that was taken
  };
  std::vector<Cell> cells;
  std::vector<Rank> rank_of_cell;  // empty: not known

  struct Workers {
    std::size_t n = 0;
    std::map<Rank, double> silent_since_s;  // of those that do not answer
    std::set<Rank> lost;
  };
  Workers workers;

  struct Times {
    double begun_s = kNone;  // it began or went on
    double last_s = kNone;   // something happened last
    struct Passed {
      Generation generation;
      double at_s;
    };
    std::deque<Passed> passed;  // the last generations since then
  };
  Times times;
};

/// The event is the next one of the run. `begun` forgets what a resume does not go on from.
void take(const RunEvent& event, RunState& state);

/// The cell has told of a generation; NaN: no score was taken in it.
void take(CellId cell, Generation generation, double score, RunState& state);

/// The duration of a generation, by the last twenty; nothing where fewer than two have passed since
/// the run began or went on.
std::optional<double> seconds_per_generation(const RunState& state);
/// Nothing where that is not known.
std::optional<double> seconds_left(const RunState& state);

/// `frechet 12.3`, or `no score`
std::string score_text(const std::string& metric, double score);

/// `(1, 0)`
std::string place_text(const grid::Torus& torus, CellId cell);

}  // namespace lipizz::report
