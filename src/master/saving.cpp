#include "master/saving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/checkpoint_interval.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

// Saving and the end of MPI take this beside two generations, which is how far cells are apart.
constexpr double kTimeToLeave_s = 5;

SavePlan::Limits limits_of(const config::Experiment& experiment, const comm::RunPlan& run_plan) {
  return {.every_s = config::checkpoint_interval(experiment.checkpoint).seconds,
          .n_cells = experiment.grid.rows * experiment.grid.columns,
          .n_workers = comm::active_in(run_plan.rank_of_cell).size(),
          .start = run_plan.start,
          .last = experiment.generations,
          .is_asynchronous = config::is_asynchronous(experiment)};
}

}  // namespace

Saving::Saving(const config::Experiment& experiment, const comm::RunPlan& run_plan,
               Interruption interruption, MetricsLog& metrics, RunLog& log, const Clock& clock)
    : start_(run_plan.start),
      last_(experiment.generations),
      n_cells_(experiment.grid.rows * experiment.grid.columns),
      interruption_(std::move(interruption)),
      metrics_(metrics),
      log_(log),
      clock_(clock),
      checkpoints_(run_plan.output_dir, n_cells_),
      plan_(limits_of(experiment, run_plan), clock.now_s()),
      last_completed_s_(clock.now_s()) {}

void Saving::all_reached(Generation generation) {
  plan_.all_reached(generation);
  const double now_s = clock_.now_s();
  longest_generation_s_ = std::max(longest_generation_s_, now_s - last_completed_s_);
  last_completed_s_ = now_s;
}

void Saving::add(const comm::Saved& saved) {
  if (saved.generation == last_) settled_.insert(saved.cell);
  if (!saved.error.empty()) {
    if (!stop_reason_.empty()) throw CheckpointError(saved.error);
    return log_.warn("saving", saved.error, saved.cell);
  }
  const Generation before = plan_.newest_complete();
  if (const auto complete = plan_.saved(saved.cell, saved.generation)) {
    metrics_.sync();
    checkpoints_.remove_before(before);
    log_.lines().info(fmt::format("generation {} is saved", *complete));
  }
}

// Whoever wants the run to stop is asked also while it is stopping: a second interrupt ends the
// process at once.
void Saving::look_for_a_reason_to_stop() {
  const std::string reason = reason_to_stop();
  if (reason.empty() || !stop_reason_.empty()) return;
  stop_reason_ = reason;
  log_.lines().warning(stop_reason_ +
                       ": all cells are brought to the end of a generation and saved");
  plan_.stop();
}

std::string Saving::reason_to_stop() const {
  const std::string asked = interruption_.requested();
  const double needed_s = kTimeToLeave_s + 2 * longest_generation_s_;
  return clock_.now_s() + needed_s >= interruption_.until_s ? "the time limit" : asked;
}

void Saving::go_back(Generation generation, std::size_t n_workers) {
  plan_.go_back(generation, n_workers);
  last_completed_s_ = clock_.now_s();
}

std::optional<comm::Directive> Saving::next_directive() {
  return plan_.next_directive(clock_.now_s());
}

bool Saving::is_settled() const {
  return start_ == last_ || settled_.size() == n_cells_;
}

}  // namespace lipizz::master
