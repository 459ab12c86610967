#pragma once

#include <map>
#include <optional>
#include <set>

#include "comm/messages.hpp"
#include "core/ids.hpp"

namespace lipizz::master {

/// When all cells are saved together, and what a run that stops early has saved: a state machine
/// without threads, messages, files or clock of its own. Times are seconds on any monotonic clock.
///
/// Where a generation takes longer than a save, every one is saved, so that a killed run loses no
/// more than the generation in progress. Shorter ones are saved by time. Cells are never all in one
/// generation: neighbours differ by one, the farthest by as much as the grid is wide, with an
/// asynchronous exchange by any number. So a generation to save is chosen ahead of all of them; it
/// is complete when the slowest cell has come there, and only so many wait for it at a time, since
/// each is a file per cell.
///
/// To stop, every worker saves what it holds of its cells in memory, the last generations that not
/// all cells have come to, and the run goes on some day from the newest that all have.
class SavePlan {
 public:
  struct Limits {
    double every_s = 0;  // at the most between two saves; 0: only what workers save of themselves
    std::uint32_t n_cells = 1;
    std::size_t n_workers = 1;  // that train
    Generation start = 0;       // where all cells stood at first
    Generation last = 1;        // where training ends
  };
  SavePlan(Limits limits, double now_s);

  /// A cell has evaluated this generation.
  void reached(Generation generation);
  /// Every cell has; the time since the one before counts as its length.
  void all_reached(Generation generation, double now_s);
  /// A cell's file of this generation is written, which took so long. Returns the generation when
  /// it is now complete.
  std::optional<Generation> saved(CellId cell, Generation generation, double seconds);
  /// A worker has saved all that it held; before it was told to leave that means nothing.
  void flushed(Rank worker);
  /// All cells go on from the end of this generation, on so many workers, who know no directive.
  void go_back(Generation generation, std::size_t n_workers, double now_s);
  /// Training ends with this generation.
  void end_at(Generation generation) { limits_.last = generation; }
  /// From now on every worker is told to leave.
  void stop() { directive_.course = comm::Directive::Course::kLeave; }

  /// To be asked after each of the above and now and then: the directive for all workers, when
  /// it has changed.
  std::optional<comm::Directive> next_directive(double now_s);

  /// The newest generation of which every cell is saved, once every worker has saved all that it
  /// held; the run can be left.
  [[nodiscard]] std::optional<Generation> stopped_at() const;
  /// The newest generation of which every cell is saved.
  [[nodiscard]] Generation newest_complete() const { return complete_; }
  /// How long a cell's save takes, as far as it is known.
  [[nodiscard]] double seconds_per_save() const { return save_s_; }

 private:
  [[nodiscard]] bool is_stopping() const {
    return directive_.course == comm::Directive::Course::kLeave;
  }
  void decide_when_to_save(double now_s);
  [[nodiscard]] bool saves_every_generation() const;
  [[nodiscard]] bool is_due(double now_s) const;

  Limits limits_;
  double last_save_s_;
  double last_completed_s_;
  std::optional<double> generation_s_;  // how long generations take, lately
  double save_s_ = 0;                   // the longest of the newest generation that is saved
  Generation measured_ = 0;             // that generation
  Generation foremost_;
  Generation slowest_;
  Generation complete_;
  comm::Directive directive_;
  comm::Directive told_;
  std::set<Rank> flushed_;
  std::map<Generation, std::set<CellId>> saved_;
};

}  // namespace lipizz::master
