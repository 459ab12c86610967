#pragma once

#include <map>
#include <optional>
#include <set>

#include "comm/messages.hpp"
#include "core/ids.hpp"

namespace lipizz::master {

/// When all cells are saved together, and how they come to stand at the same generation when a run
/// stops early: a state machine without threads, messages, files or clock of its own. Times are
/// seconds on any monotonic clock.
///
/// Cells are never all in one generation: neighbours differ by one, the farthest by as much as the
/// grid is wide. So a generation to save is chosen ahead of all of them; and to stop, workers pause
/// at the end of the first generation from the chosen one on, tell which one that was, and those
/// behind the foremost go on to it.
///
/// With an asynchronous exchange they may be far apart. Each chosen generation is complete when the
/// slowest cell has come there, and only so many wait for it at a time, since each is a file per
/// cell. A stop need not bring the slowest to the foremost: the next generation that others have
/// saved will do, if all have.
class SavePlan {
 public:
  struct Limits {
    double every_s = 0;  // 0: only what workers save of themselves
    std::uint32_t n_cells = 1;
    std::size_t n_workers = 1;  // that train
    Generation start = 0;       // where all cells stood at first
    Generation last = 1;        // where training ends
    bool is_asynchronous = false;
  };
  SavePlan(Limits limits, double now_s);

  /// A cell has evaluated this generation.
  void reached(Generation generation);
  /// Every cell has.
  void all_reached(Generation generation) { slowest_ = generation; }
  /// A cell's file of this generation is written. Returns the generation when it is now complete.
  std::optional<Generation> saved(CellId cell, Generation generation);
  /// A worker's cells stand at the end of this generation and wait; or have finished, at the end of
  /// the last one.
  void paused(Rank worker, Generation generation);
  /// All cells go on from the end of this generation, on so many workers, who know no directive.
  void go_back(Generation generation, std::size_t n_workers);
  /// From now on all cells are led to the end of one generation.
  void stop();

  /// To be asked after each of the above and now and then: the directive for all workers, when
  /// it has changed.
  std::optional<comm::Directive> next_directive(double now_s);

  /// Where everybody has paused (asynchronously: or has passed) and all cells are saved; the run
  /// can be left.
  [[nodiscard]] std::optional<Generation> stopped_at() const;
  /// The newest generation of which every cell is saved.
  [[nodiscard]] Generation newest_complete() const { return complete_; }

 private:
  void decide_where_to_hold();
  void decide_when_to_save(double now_s);
  [[nodiscard]] bool all_paused_where_saved() const;

  Limits limits_;
  double last_save_s_;
  Generation foremost_;
  Generation slowest_;
  Generation complete_;
  bool is_stopping_ = false;
  Generation stop_from_ = 0;  // when stopping, what is saved before this one is not enough
  comm::Directive directive_;
  comm::Directive told_;
  std::map<Rank, Generation> paused_;
  std::map<Generation, std::set<CellId>> saved_;
};

}  // namespace lipizz::master
