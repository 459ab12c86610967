#include "master/assignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "grid/buddies.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/agreement/inventory_text.hpp"

namespace lipizz::master {

Assignments::Assignments(const comm::RunPlan& run_plan,
                         const std::vector<comm::InventoryEntry>& inventory, bool has_buddies)
    : survives_losses_(run_plan.survives_losses),
      ranks_per_cell_(run_plan.ranks_per_cell),
      has_buddies_(has_buddies),
      inventory_(inventory),
      copies_(static_cast<std::uint32_t>(run_plan.rank_of_cell.size())),
      stable_(run_plan.start) {
  present_.incarnation = comm::kFirstIncarnation;
  present_.start = run_plan.start;
  present_.rank_of_cell = run_plan.rank_of_cell;
  present_.source_of_cell.assign(run_plan.rank_of_cell.size(), comm::Assignment::kNobody);
}

std::string Assignments::name_of(Rank rank) const {
  return setup::name_of(inventory_, static_cast<std::size_t>(rank.value));
}

std::string Assignments::described(Rank rank) const {
  std::vector<std::string> cells;
  for (const CellId cell : comm::cells_of(present_.rank_of_cell, rank)) {
    cells.push_back(std::to_string(cell.value));
  }
  const Rank worker = worker_of(rank, ranks_per_cell_);
  if (worker != rank) return name_of(rank) + " (helps rank " + std::to_string(worker.value) + ")";
  return name_of(rank) + (cells.empty() ? " (a spare)" : " (cells " + join(cells) + ")");
}

std::string Assignments::activity_of(Rank worker) const {
  const auto found = status_.find(worker);
  if (found == status_.end()) return "it has never answered";
  const comm::Status& status = found->second;
  const std::string state(to_string(status.state));
  if (status.state == comm::WorkerState::kInactive) return state;
  return state + " generation " + std::to_string(status.generation);
}

std::string Assignments::waits_for(Rank rank) const {
  std::vector<std::string> waits;
  for (const auto& [waiting, status] : status_) {
    if (status.waits_for != rank.value || is_lost(waiting)) continue;
    waits.push_back(fmt::format("rank {} (last in generation {}) waited for it in {}",
                                waiting.value, status.generation, status.collective));
  }
  return waits.empty() ? "" : ", in which " + join(waits, " and ");
}

std::vector<Rank> Assignments::living() const {
  return comm::living_among(inventory_.size(), present_.lost);
}

std::vector<Rank> Assignments::computing() const {
  std::vector<Rank> ranks = comm::with_helpers(active(), ranks_per_cell_);
  std::erase_if(ranks, [this](Rank rank) { return is_lost(rank); });
  return ranks;
}

std::vector<Rank> Assignments::members() const {
  return survives_losses_ ? living() : computing();
}

void Assignments::begun(Rank worker, const comm::Begun& begun) {
  if (begun.incarnation == present_.incarnation) begun_.insert(worker);
}

void Assignments::held(Rank buddy, const comm::Held& held) {
  if (held.incarnation != present_.incarnation) return;
  if (held.cell.value >= present_.rank_of_cell.size()) {
    throw CommError("a copy of cell " + std::to_string(held.cell.value) +
                    " is held, which does not exist");
  }
  // Whoever handed the copy out keeps it too.
  copies_.add(held.cell, held.generation, buddy);
  copies_.add(held.cell, held.generation, host_of(held.cell));
}

std::optional<Generation> Assignments::newly_stable(Generation told) {
  const std::size_t n_others = comm::workers_among(living(), ranks_per_cell_).size() - 1;
  const std::size_t n_buddies = has_buddies_ ? std::min(grid::kBuddies, n_others) : 0;
  // Cells that begin from copies have yet to come to where all had told before.
  if (n_buddies == 0 && told <= told_before_) return std::nullopt;
  const auto whole =
      n_buddies == 0 ? std::optional(told) : copies_.newest_whole(1 + n_buddies, told);
  if (!whole || *whole <= stable_) return std::nullopt;
  stable_ = *whole;
  copies_.drop_before(stable_);
  return stable_;
}

bool Assignments::can_lose(Rank worker) const {
  const std::vector<Rank> workers = comm::workers_among(living(), ranks_per_cell_);
  const std::vector<Rank> returned(returned_.begin(), returned_.end());
  const bool has_others =
      workers != std::vector{worker} || !comm::workers_among(returned, ranks_per_cell_).empty();
  return survives_losses_ && has_others;
}

bool Assignments::is_idle(Rank worker) const {
  const std::vector<Rank> all = computing();
  return std::ranges::find(all, worker) == all.end() && std::ranges::includes(begun_, all);
}

void Assignments::lose_idle(Rank worker) {
  lost_.insert(worker);
  present_.lost.push_back(worker.value);
  copies_.lose(worker);
}

comm::Assignment Assignments::take_back(Rank worker) {
  returned_.insert(worker);
  comm::Assignment its_own = present_;
  std::erase(its_own.lost, worker.value);
  // Others train already from the copies that it handed over, which it need not have any more.
  std::ranges::replace(its_own.source_of_cell, worker.value, comm::Assignment::kNobody);
  return its_own;
}

const comm::Assignment& Assignments::begin_incarnation_without(Rank worker, Generation saved,
                                                               Generation told) {
  take_back_returned();
  lost_.insert(worker);
  copies_.lose(worker);
  const auto copied = copies_.newest_whole(1, told);
  const bool has_copies = copied && *copied > saved;
  begin_incarnation_at(has_copies ? *copied : saved);
  told_before_ = told;
  present_.rank_of_cell =
      setup::placement_without(inventory_, present_.rank_of_cell, lost_, ranks_per_cell_);
  for (std::uint32_t cell = 0; cell < present_.rank_of_cell.size(); ++cell) {
    present_.source_of_cell[cell] = has_copies
                                        ? copies_.holder({cell}, *copied, host_of({cell})).value
                                        : comm::Assignment::kNobody;
  }
  list_lost();
  return present_;
}

void Assignments::take_back_returned() {
  for (const Rank back : std::exchange(returned_, {})) lost_.erase(back);
}

void Assignments::list_lost() {
  present_.lost.clear();
  for (const Rank rank : lost_) present_.lost.push_back(rank.value);
}

const comm::Assignment& Assignments::begin_incarnation_on(std::vector<std::int32_t> rank_of_cell,
                                                          Generation told) {
  take_back_returned();
  list_lost();
  begin_incarnation_at(told);
  present_.source_of_cell = std::exchange(present_.rank_of_cell, std::move(rank_of_cell));
  return present_;
}

void Assignments::begin_incarnation_at(Generation start) {
  ++present_.incarnation;
  present_.start = start;
  copies_.go_back(start);
  stable_ = start;
  begun_.clear();
}

void Assignments::end_at(Generation generation) {
  present_.last = generation;
  if (present_.start == generation) return;
  begin_incarnation_at(generation);
  present_.source_of_cell = present_.rank_of_cell;
}

}  // namespace lipizz::master
