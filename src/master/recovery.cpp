#include "master/recovery.hpp"

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

}  // namespace

Recovery::Recovery(Assignments& assignments, Saving& saving, Gathering& gathering,
                   const MetricsLog& metrics, RunLog& log, std::string run_dir, Forget forget,
                   Assign assign, TellOfIdle tell_of_idle)
    : assignments_(assignments),
      saving_(saving),
      gathering_(gathering),
      metrics_(metrics),
      log_(log),
      run_dir_(std::move(run_dir)),
      forget_(std::move(forget)),
      assign_(std::move(assign)),
      tell_of_idle_(std::move(tell_of_idle)) {}

void Recovery::give_up(Rank rank, double silent_s) {
  const std::string loss = fmt::format("{} is given up after {:.1f} s of silence",
                                       assignments_.described(rank), silent_s);
  if (assignments_.is_lost(rank)) {
    log_.warn(assignments_.name_of(rank), loss + ", once more");
    assignments_.lose_again(rank);
    return forget_(rank);
  }
  const std::vector<CellId> moved = comm::cells_of(assignments_.present().rank_of_cell, rank);
  if (!assignments_.can_lose(rank)) {
    throw comm::PeerLost(loss + ", and the run ends; what it has written is in " + run_dir_);
  }
  forget_(rank);
  if (assignments_.is_idle(rank)) {
    log_.warn(assignments_.name_of(rank), loss + "; it was idle, and all others go on");
    assignments_.lose_idle(rank);
    return tell_of_idle_(rank);
  }
  const comm::Assignment& next =
      assignments_.begin_incarnation_without(rank, saving_.newest_complete(), metrics_.written());
  log_.warn(assignments_.name_of(rank), loss + where_to(moved, next));
  saving_.go_back(next.start, assignments_.active().size());
  gathering_.go_back();
  assign_();
}

}  // namespace lipizz::master
