#include "sweep/work_left.hpp"

#include <algorithm>
#include <vector>

namespace lipizz::sweep {
namespace {

// The generations behind the rung that is not decided yet, and the starts for them.
WorkLeft behind_open_rung(const Plan& plan, const Rung& open) {
  WorkLeft left;
  const StopEarly& stop = *plan.sweep().stop_early;
  const std::uint64_t n_seeds = plan.sweep().seeds.size();
  const Generation last = plan.generations(0);
  std::size_t n = open.n_kept;
  Generation from = open.generation;
  for (const Generation rung : stop.rungs) {
    if (rung <= open.generation) continue;
    left.n_generations += n * n_seeds * (rung - from);
    left.n_starts += n * n_seeds;
    from = rung;
    n = n_kept(stop, n);
  }
  left.n_generations += n * n_seeds * (last - from);
  left.n_starts += n * n_seeds;
  return left;
}

}  // namespace

WorkLeft work_left(const Plan& plan, const Progress& progress) {
  WorkLeft left;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const RunProgress& run = progress.runs[i];
    const bool is_left = run.state == RunState::kWaiting || run.state == RunState::kRunning ||
                         run.state == RunState::kStale;
    if (is_left || run.state == RunState::kAtRung) ++left.n_runs;
    if (!is_left) continue;
    const Generation trained = run.result() == nullptr ? 0 : run.result()->generations;
    left.n_generations += run.target > trained ? run.target - trained : 0;
    ++left.n_starts;
  }
  const auto& rungs = progress.halving.rungs;
  if (rungs.empty() || rungs.back().is_decided) return left;
  const WorkLeft more = behind_open_rung(plan, rungs.back());
  left.n_generations += more.n_generations;
  left.n_starts += more.n_starts;
  return left;
}

double seconds_for(const WorkLeft& work, const Pace& pace, std::size_t n_at_a_time) {
  const double seconds = static_cast<double>(work.n_generations) * pace.s_per_generation +
                         static_cast<double>(work.n_starts) * pace.s_per_start;
  const auto n = static_cast<double>(std::min<std::uint64_t>(n_at_a_time, work.n_runs));
  return n > 0 ? seconds / n : 0;
}

}  // namespace lipizz::sweep
