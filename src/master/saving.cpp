#include "master/saving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checkpoint/run_checkpoints.hpp"
#include "config/checkpoint_interval.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

// Messages and the end of MPI take this beside two saves, of which one may be under way.
constexpr double kTimeToLeave_s = 5;

SavePlan::Limits limits_of(const config::Experiment& experiment, const comm::RunPlan& run_plan) {
  return {.every_s = config::checkpoint_interval(experiment.outputs.checkpoint).seconds,
          .n_cells = experiment.grid.rows * experiment.grid.columns,
          .n_workers = comm::active_in(run_plan.rank_of_cell).size(),
          .start = run_plan.start,
          .last = experiment.generations};
}

}  // namespace

Saving::Saving(const config::Experiment& experiment, const comm::RunPlan& run_plan,
               Interruption interruption, MetricsLog& metrics, RunLog& log, const Clock& clock)
    : experiment_(run_plan.experiment),
      start_(run_plan.start),
      last_(experiment.generations),
      n_cells_(experiment.grid.rows * experiment.grid.columns),
      interruption_(std::move(interruption)),
      metrics_(metrics),
      log_(log),
      clock_(clock),
      guard_(run_plan, experiment, metrics),
      plan_(limits_of(experiment, run_plan), clock.now_s()) {}

void Saving::add(const comm::Saved& saved) {
  if (saved.generation == last_) settled_.insert(saved.cell);
  if (!saved.error.empty()) {
    if (!stop_reason_.empty()) throw CheckpointError(stop_reason_ + ": " + saved.error);
    return log_.warn("saving", saved.error, saved.cell);
  }
  const Generation before = plan_.newest_complete();
  if (const auto complete = plan_.saved(saved.cell, saved.generation, saved.seconds)) {
    keep(*complete, before);
  }
}

void Saving::keep(Generation complete, Generation before) {
  log_.happened({.kind = report::RunEvent::Kind::kSaved, .generation = complete});
  log_.lines().info(fmt::format("generation {} is saved", complete));
  try {
    const checkpoint::RunCheckpoints files(guard_.present(), n_cells_);
    metrics_.sync();
    files.note_saved(complete, experiment_);
    files.remove_before(before);
  } catch (const CheckpointError& error) {
    log_.warn("saving", error.what());
  }
}

void Saving::look_for_a_reason_to_stop() {
  if (!stop_reason_.empty()) return;
  stop_reason_ = reason_to_stop();
  if (stop_reason_.empty()) return;
  const std::string text = stop_reason_ + ": saving what is done";
  if (guard_.loss().empty()) {
    log_.say(text);
  } else {
    log_.warn("folder", text);
  }
  plan_.stop();
}

std::string Saving::reason_to_stop() const {
  if (const std::string lost = guard_.loss(); !lost.empty()) return lost;
  const double needed_s = kTimeToLeave_s + 2 * plan_.seconds_per_save();
  const bool is_near = clock_.now_s() + needed_s >= interruption_.until_s;
  return is_near ? "the time limit" : interruption_.request->reason();
}

void Saving::go_back(Generation generation, std::size_t n_workers) {
  plan_.go_back(generation, n_workers, clock_.now_s());
}

void Saving::end_at(Generation generation, std::size_t n_workers) {
  last_ = generation;
  settled_.clear();
  plan_.end_at(generation);
  go_back(generation, n_workers);
}

std::optional<comm::Directive> Saving::next_directive() {
  return plan_.next_directive(clock_.now_s());
}

bool Saving::is_settled() const {
  // A complete generation may come again, and does not where all begin with its files.
  return start_ == last_ || plan_.newest_complete() >= last_ || settled_.size() == n_cells_;
}

}  // namespace lipizz::master
