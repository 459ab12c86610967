#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "grid/torus.hpp"
#include "master/copy_ledger.hpp"

namespace lipizz::master {

/// Which worker hosts which cells, and what becomes of it when workers are lost or slow: their
/// cells move to where a generation is shortest with them (grid/placement.hpp), usually to a spare,
/// and all cells go back to the end of the newest generation that all of them can go on from. A
/// state machine without threads, messages or files.
class Assignments {
 public:
  /// `inventory` has one entry per rank, the master's own first, and must outlive it. `has_buddies`
  /// says whether workers keep copies of each other's cells.
  Assignments(const comm::RunPlan& run_plan, const std::vector<comm::InventoryEntry>& inventory,
              bool has_buddies);

  /// From incarnation 1 on.
  [[nodiscard]] const comm::Assignment& present() const { return present_; }
  /// Another incarnation is one that is over.
  [[nodiscard]] bool is_present(std::uint32_t incarnation) const {
    return incarnation == present_.incarnation;
  }
  [[nodiscard]] std::vector<Rank> active() const { return comm::active_in(present_.rank_of_cell); }
  [[nodiscard]] bool is_active(Rank worker) const {
    return !comm::cells_of(present_.rank_of_cell, worker).empty();
  }
  [[nodiscard]] Rank host_of(CellId cell) const { return {present_.rank_of_cell.at(cell.value)}; }
  /// `rank 3 on node2`
  [[nodiscard]] std::string name_of(Rank rank) const;
  /// `rank 3 on node2 (cells 4, 7)`, or `(a spare)`.
  [[nodiscard]] std::string described(Rank rank) const;
  /// A worker has answered a heartbeat.
  void answered(Rank worker, const comm::Status& status) { status_[worker] = status; }
  /// Its activity when it last answered: `processing generation 7`.
  [[nodiscard]] std::string activity_of(Rank worker) const;
  /// The living that waited for a rank of their cell when they last answered, and in what: `, in
  /// which rank 3 (last in generation 7) waited for it in a reduce-scatter`; empty where none did.
  [[nodiscard]] std::string waits_for(Rank rank) const;
  /// These have to be told: the active and their helpers, and where losses are survived all that
  /// live.
  [[nodiscard]] std::vector<Rank> members() const;
  /// Those of them that may host cells.
  [[nodiscard]] std::vector<Rank> workers() const {
    return comm::workers_among(members(), ranks_per_cell_);
  }

  /// A worker trains by an assignment; what it tells of its training counts from then on. One of an
  /// incarnation that is over is ignored.
  void begun(Rank worker, const comm::Begun& begun);
  [[nodiscard]] bool has_begun(Rank worker) const { return begun_.contains(worker); }

  /// A buddy keeps a copy; one of an incarnation that is over is ignored. CommError when there is
  /// no such cell.
  void held(Rank buddy, const comm::Held& held);
  /// The generation before which copies may go, when it has changed: no cell has anything left to
  /// tell of it and, where buddies keep copies, every cell's worker and all its buddies have it;
  /// where they do not, more has been told than before cells last went back to copies.
  /// `told` is the newest generation of which the former is so.
  std::optional<Generation> newly_stable(Generation told);

  /// A lost worker has no part in the present incarnation, even where it has returned.
  [[nodiscard]] bool is_lost(Rank worker) const { return lost_.contains(worker); }
  [[nodiscard]] const std::set<Rank>& lost() const { return lost_; }
  /// True where the run can go on without it: losses are survived, and others are left.
  [[nodiscard]] bool can_lose(Rank worker) const;
  /// True where nothing depends on this rank but copies: it neither hosts cells nor helps, and no
  /// active worker, nor its helper, still waits for what it was to open.
  [[nodiscard]] bool is_idle(Rank worker) const;
  /// An idle worker is lost: its copies are gone, and all others train on.
  void lose_idle(Rank worker);
  /// A lost worker that only slept is a spare from the next incarnation on. Gives what it is
  /// assigned until then: no cells.
  comm::Assignment take_back(Rank worker);
  [[nodiscard]] bool has_returned(Rank worker) const { return returned_.contains(worker); }
  /// It is gone again.
  void lose_again(Rank worker) { returned_.erase(worker); }
  /// The next incarnation, without this worker, be it a spare that others wait for, or without this
  /// helper, whose worker keeps its cells. `saved` is the
  /// newest generation of which every cell is saved. No copy beyond `told` serves, or the lines of
  /// metrics in between would never be told; `saved` is never beyond it, since a worker tells a
  /// generation's metrics before it saves its cells.
  const comm::Assignment& begin_incarnation_without(Rank worker, Generation saved, Generation told);
  /// The next incarnation, with cells on other workers: all go on from the end of this generation,
  /// of which every cell has told, each from the copy that its worker holds.
  const comm::Assignment& begin_incarnation_on(std::vector<std::int32_t> rank_of_cell,
                                               Generation told);
  /// The run ends with this generation, of which every cell has told: cells that are beyond it go
  /// back to it in the next incarnation, each from the copy that its own worker holds. Where all
  /// begin there, nothing is assigned anew.
  void end_at(Generation generation);

 private:
  [[nodiscard]] std::vector<Rank> living() const;
  [[nodiscard]] std::vector<Rank> computing() const;  // the active and their helpers
  void begin_incarnation_at(Generation start);
  void take_back_returned();
  void list_lost();

  bool survives_losses_;
  std::uint32_t ranks_per_cell_;
  bool has_buddies_;
  const std::vector<comm::InventoryEntry>& inventory_;
  comm::Assignment present_;
  std::map<Rank, comm::Status> status_;  // as it last answered
  std::set<Rank> begun_;
  std::set<Rank> lost_;
  std::set<Rank> returned_;  // of the lost
  CopyLedger copies_;
  Generation stable_ = 0;
  Generation told_before_ = 0;  // when a loss last sent cells back
};

}  // namespace lipizz::master
