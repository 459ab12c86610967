#include "master/relocation.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace lipizz::master {
namespace {

// `; cell 3 goes to rank 5, all cells go on from generation 12`
std::string where_to(const std::vector<CellId>& moved, const comm::Assignment& next) {
  std::string text = ";";
  for (const CellId cell : moved) {
    text += fmt::format(" cell {} goes to rank {},", cell.value, next.rank_of_cell[cell.value]);
  }
  return text + (next.start == 0 ? " all cells begin again"
                                 : fmt::format(" all cells go on from generation {}", next.start));
}

std::vector<CellId> moved_cells(const std::vector<std::int32_t>& before,
                                const comm::Assignment& next) {
  std::vector<CellId> moved;
  for (std::uint32_t cell = 0; cell < before.size(); ++cell) {
    if (before[cell] != next.rank_of_cell[cell]) moved.push_back({cell});
  }
  return moved;
}

// `rank 2 on node1 and rank 3 on node1 hold the others up`
std::string reason_text(const std::vector<std::int32_t>& before, const std::vector<CellId>& moved,
                        const Assignments& assignments) {
  std::set<Rank> slow;
  for (const CellId cell : moved) slow.insert({before[cell.value]});
  std::string text;
  for (const Rank rank : slow) {
    text += (text.empty() ? "" : " and ") + assignments.name_of(rank);
  }
  return text + (slow.size() == 1 ? " holds the others up" : " hold the others up");
}

}  // namespace

Relocation::Relocation(const config::Experiment& experiment, Assignments& assignments,
                       Saving& saving, Gathering& gathering, const MetricsLog& metrics, RunLog& log,
                       std::string run_dir, const Clock& clock, Fits fits, Messages messages)
    : experiment_(experiment),
      assignments_(assignments),
      saving_(saving),
      gathering_(gathering),
      metrics_(metrics),
      log_(log),
      run_dir_(std::move(run_dir)),
      clock_(clock),
      fits_(std::move(fits)),
      messages_(std::move(messages)) {}

void Relocation::give_up(Rank rank, double silent_s) {
  const std::string loss =
      fmt::format("{} is given up after {:.1f} s of silence{}", assignments_.described(rank),
                  silent_s, assignments_.waits_for(rank));
  if (assignments_.is_lost(rank)) {
    log_.warn(assignments_.name_of(rank), loss + ", once more");
    assignments_.lose_again(rank);
    return messages_.forget(rank);
  }
  const std::vector<CellId> moved = comm::cells_of(assignments_.present().rank_of_cell, rank);
  if (!assignments_.can_lose(rank)) {
    throw comm::PeerLost(loss + ", and the run ends; what it has written is in " + run_dir_);
  }
  messages_.forget(rank);
  if (assignments_.is_idle(rank)) {
    log_.warn(assignments_.name_of(rank), loss + "; it was idle, and all others go on");
    assignments_.lose_idle(rank);
    return messages_.tell_of_idle(rank);
  }
  const comm::Assignment& next =
      assignments_.begin_incarnation_without(rank, saving_.newest_complete(), metrics_.written());
  log_.warn(assignments_.name_of(rank), loss + where_to(moved, next));
  balance_.begin_anew();
  go_back_to(next);
}

void Relocation::go_back_to(const comm::Assignment& next) {
  saving_.go_back(next.start, assignments_.active().size());
  gathering_.go_back();
  messages_.assign();
}

void Relocation::add(CellId cell, Generation generation, double seconds) {
  if (!config::is_balanced(experiment_)) return;
  balance_.add(assignments_.host_of(cell), generation, seconds);
}

void Relocation::balance(Generation completed) {
  if (!config::is_balanced(experiment_)) return;
  const std::vector<std::int32_t> before = assignments_.present().rank_of_cell;
  auto move = balance_.after({.generation = completed,
                              .n_left = gathering_.last_generation() - completed,
                              .now_s = clock_.now_s(),
                              .rank_of_cell = before,
                              .members = assignments_.workers(),
                              .not_to_empty = not_to_empty()});
  if (!move || move->rank_of_cell == too_large_) return;
  if (!fits_(move->rank_of_cell)) {
    too_large_ = std::move(move->rank_of_cell);
    return;
  }
  const comm::Assignment& next = assignments_.begin_incarnation_on(move->rank_of_cell, completed);
  const std::vector<CellId> moved = moved_cells(before, next);
  const std::string text = reason_text(before, moved, assignments_) + where_to(moved, next) +
                           fmt::format("; a generation takes about {:.3g} s then, {:.3g} now",
                                       move->after_s, move->before_s);
  log_.happened({.kind = report::RunEvent::Kind::kMoved, .generation = completed, .text = text});
  log_.say(text);
  balance_.begin_anew(clock_.now_s());
  go_back_to(next);
}

// A worker without which the run could not go on keeps a cell, and so does one that keeps the best
// mixture for as long as that is not written.
std::set<Rank> Relocation::not_to_empty() const {
  std::set<Rank> ranks;
  for (const Rank rank : assignments_.active()) {
    if (!assignments_.can_lose(rank) || gathering_.keeps_best(rank)) ranks.insert(rank);
  }
  return ranks;
}

}  // namespace lipizz::master
