#pragma once

#include <string>
#include <vector>

#include "core/ids.hpp"
#include "report/statistics.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"
#include "sweep/score_kind.hpp"

namespace lipizz::sweep {

/// A combination's figures over its seeds.
struct Row {
  std::size_t combination = 0;
  ScoreKind kind;
  /// That its runs have been trained for, at most where they have patience.
  Generation generations = 0;
  std::vector<std::size_t> runs;   // of the plan, in the order of their seeds
  std::vector<double> scores;      // of these
  report::Repetitions score;       // lower is better
  report::Repetitions training_s;  // of the last process that trained each
  double floor = 0;                // mean of what real samples have among themselves
};

/// A sweep in figures. Scores of different kinds, or after different numbers of generations, are
/// never averaged: such a combination has several rows.
struct Figures {
  std::vector<ScoreKind> kinds;
  std::vector<Row> rows;           // by kind, the longest trained first, then the best first
  std::vector<std::string> notes;  // for people: what is missing, what is not comparable
};

Figures figures_of(const Plan& plan, const Progress& progress);

/// The best row of a kind: the first of those that were trained longest; one that lacks a seed only
/// where all do. Null where the kind has none.
const Row* best_of(const Figures& figures, const ScoreKind& kind, std::size_t n_seeds);

/// A value of an axis, and the figures of all combinations that have it.
struct AxisPoint {
  std::string value;
  std::vector<double> means;  // of each of these combinations
  report::Repetitions mean;   // of those means
};

/// One for each value of the axis `setting` (its place in plan.settings()), of the rows of a kind
/// that were trained longest.
std::vector<AxisPoint> along_axis(const Plan& plan, const Figures& figures, const ScoreKind& kind,
                                  std::size_t setting);

/// The generations that stopping early has saved, and about how many seconds, at the speed of the
/// runs that were stopped.
struct Savings {
  std::uint64_t generations = 0;
  std::uint64_t generations_of_all = 0;  // of the whole sweep without it
  double seconds = 0;
};
Savings savings_of(const Plan& plan, const Progress& progress);

}  // namespace lipizz::sweep
