#include "master/gathering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace lipizz::master {

Gathering::Gathering(const config::Experiment& experiment, const Assignments& assignments,
                     MetricsLog& metrics, RunLog& log, const Clock& clock, BestMixture best,
                     Ask ask)
    : experiment_(experiment),
      assignments_(assignments),
      metrics_(metrics),
      log_(log),
      ask_(std::move(ask)),
      pictures_(experiment.generations),
      timer_(clock),
      divergence_(experiment),
      best_(std::move(best)) {
  scoring_.floor = std::numeric_limits<double>::quiet_NaN();
}

grid::Torus Gathering::torus() const {
  return {experiment_.grid.rows, experiment_.grid.columns};
}

std::vector<MetricsLog::Completed> Gathering::add(comm::Metrics metrics) {
  log_.console().show(metrics.cell, metrics.generation, metrics.score);
  auto all = metrics_.add(std::move(metrics));
  log_.warn_of_shortage(metrics_.file());
  for (const MetricsLog::Completed& completed : all) {
    tell(completed);
    if (TensorboardLog* shown = log_.tensorboard()) shown->add(completed, scoring_.floor);
    divergence_.add(completed.generation, completed.has_diverged);
    best_.add(completed, assignments_.host_of(completed.best));
    ask_for_picture(completed);
  }
  return all;
}

void Gathering::tell(const MetricsLog::Completed& completed) {
  const auto& [generation, best, score, has_diverged, lines] = completed;
  const std::string place =
      fmt::format("generation {} of {}: ", generation, experiment_.generations);
  log_.lines().info(place + (std::isnan(score)
                                 ? std::string("no score")
                                 : fmt::format("best cell ({}, {}), {} {:.6g}", torus().row(best),
                                               torus().column(best), scoring_.metric, score)));
  log_.happened({.kind = report::RunEvent::Kind::kGeneration,
                 .generation = generation,
                 .cell = best,
                 .score = score});
}

void Gathering::ask_for_picture(const MetricsLog::Completed& completed) {
  if (!pictures_.is_due(completed.generation, completed.score)) return;
  const Rank host = assignments_.host_of(completed.best);
  ask_(host, {.kind = comm::TaskKind::kImprovedSheet,
              .cell = completed.best,
              .generation = completed.generation,
              .writer_rank = host});
}

void Gathering::add(comm::CellResult result) {
  if (!assignments_.is_present(result.incarnation)) return;
  const CellId cell = result.cell;
  if (cell.value >= torus().cells() || !results_.try_emplace(cell, std::move(result)).second) {
    throw CommError(fmt::format("an unexpected result of cell {} arrived", cell.value));
  }
}

void Gathering::add(Rank worker, const comm::TrafficReport& report) {
  if (!assignments_.is_present(report.incarnation)) return;
  traffic_.insert_or_assign(worker, report.traffic);
}

void Gathering::add(const comm::TaskDone& done) {
  if (!done.file.empty()) log_.lines().info("written: " + done.file);
  if (TensorboardLog* shown = log_.tensorboard()) shown->add(done);
  if (done.kind == comm::TaskKind::kImprovedSheet) return;
  if (done.kind == comm::TaskKind::kBestMixture) return best_.add(done);
  if (done.kind == comm::TaskKind::kOpenData) {
    has_begun_ = true;
    log_.happened({.kind = report::RunEvent::Kind::kTraining});
    log_.lines().info("the data are open, and training begins");
    return timer_.begin_training();
  }
  if (scoring_.metric != done.metric || scoring_.judge != done.judge) {
    log_.happened({.kind = report::RunEvent::Kind::kScoring,
                   .metric = done.metric,
                   .judge = to_hex(done.judge),
                   .floor = done.floor});
    log_.lines().info(fmt::format("scores are {}, judge {}", done.metric, to_hex(done.judge)));
    log_.say(
        fmt::format("scores are {}: lower is better; real samples among themselves score {:.4g}",
                    done.metric, done.floor));
  }
  scoring_ = done;
  has_final_files_ = done.kind == comm::TaskKind::kFinalFiles;
}

void Gathering::ask_for_best_mixture(bool must) {
  const auto next = best_.next_to_write(must);
  if (!next) return;
  const Rank keeper = keeper_of(*next);
  ask_(keeper, {.kind = comm::TaskKind::kBestMixture,
                .cell = next->cell,
                .generation = next->generation,
                .writer_rank = keeper});
}

// The worker that trained it, even where its cell has moved since; its cell's where that one trains
// no more.
Rank Gathering::keeper_of(const BestGeneration& best) const {
  return assignments_.is_active(best.keeper) ? best.keeper : assignments_.host_of(best.cell);
}

bool Gathering::keeps_best(Rank worker) const {
  return best_.best() && !best_.is_settled() && keeper_of(*best_.best()) == worker;
}

bool Gathering::is_out_of_patience(Generation generation) const {
  const Generation patience = experiment_.stop.patience;
  return patience > 0 && best_.generations_since(generation) >= patience;
}

Generation Gathering::last_generation() const {
  return std::min(experiment_.generations, assignments_.present().last);
}

// Results may overtake lines of metrics, which travel on another communicator.
bool Gathering::has_all() const {
  return results_.size() == torus().cells() && traffic_.size() == assignments_.active().size() &&
         metrics_.written() == last_generation();
}

void Gathering::ask_for_final_files() {
  if (std::exchange(has_asked_for_final_files_, true)) return;
  timer_.end_training();
  RunResult result;
  fill(result);
  const comm::CellResult& best_result = result.cells[best_of(result.cells)];
  if (std::isnan(best_result.score)) divergence_.refuse_without_score();
  const CellId best = best_result.cell;
  const comm::Task task{.kind = comm::TaskKind::kFinalFiles,
                        .cell = best,
                        .generation = last_generation(),
                        .writer_rank = assignments_.host_of(best)};
  for (const Rank rank : assignments_.active()) ask_(rank, task);
}

void Gathering::go_back() {
  metrics_.go_back();
  results_.clear();
  traffic_.clear();
  has_asked_for_final_files_ = false;
  has_final_files_ = false;
  if (const auto& best = best_.best()) {
    best_.go_back(assignments_.present().start, assignments_.host_of(best->cell));
  }
}

void Gathering::fill(RunResult& result) const {
  for (const auto& [cell, each] : results_) result.cells.push_back(each);
  for (const auto& [worker, sent] : traffic_) result.traffic += sent;
  result.scoring.metric = scoring_.metric;
  result.scoring.judge = scoring_.judge;
  result.scoring.floor = scoring_.floor;
  result.scoring.floor_n_samples = scoring_.n_samples;
  result.scoring.best = best_.best();
  result.scoring.best_n_samples = experiment_.score.n_samples_training;
  result.scoring.has_best_mixture = best_.is_written();
  result.provenance.times = timer_.times();
}

}  // namespace lipizz::master
