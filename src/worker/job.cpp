#include "worker/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "config/checkpoint_interval.hpp"
#include "core/error.hpp"
#include "grid/buddies.hpp"
#include "setup/settings.hpp"
#include "worker/cell_result.hpp"
#include "worker/metrics_line.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;

// On a device of its own all cells train in the same launches; a processor's caches hold one.
coev::Settings settings_on(const nn::Device& device, const config::Experiment& experiment,
                           std::size_t n_hosted) {
  coev::Settings settings = setup::settings_of(experiment);
  if (!device.is_host()) settings.group_size = static_cast<std::uint32_t>(n_hosted);
  return settings;
}

// Asynchronously a copy of every generation between the slowest and the fastest cell would be kept.
std::vector<Rank> buddies_of(const WorkerParts& parts, comm::Assignment assignment) {
  if (!parts.run_plan.survives_losses || config::is_asynchronous(parts.experiment())) return {};
  const std::vector<std::int32_t> lost = parts.mailbox.lost();
  assignment.lost.insert(assignment.lost.end(), lost.begin(), lost.end());
  const std::vector<Rank> workers =
      comm::workers_among(parts.members_of(assignment), parts.run_plan.ranks_per_cell);
  return grid::buddies_of(parts.comm.rank(), workers, parts.run_plan.hosts);
}

StateKeeper::Surroundings surroundings_of(WorkerParts& parts, const comm::Assignment& assignment) {
  return {.lineage =
              [&parts, known = std::optional<checkpoint::Lineage>()]() mutable {
                if (!known) {
                  known = parts.resources->lineage(parts.experiment(), parts.run_plan.numerics);
                }
                return *known;
              },
          .buddies = [&parts, assignment] { return buddies_of(parts, assignment); },
          .send =
              [&parts](Rank to, const comm::CellCopy& copy) {
                parts.comm.send(to, MessageKind::kCopy, copy.encode());
              },
          .gives_up = [&parts] { return !parts.mailbox.keep_going(); }};
}

}  // namespace

Generation last_generation(const config::Experiment& experiment,
                           const comm::Assignment& assignment) {
  return std::min(experiment.generations, assignment.last);
}

Job::Job(WorkerParts& parts, const comm::Assignment& assignment)
    : parts_(parts),
      assignment_(assignment),
      last_(last_generation(parts.experiment(), assignment)),
      hosted_(comm::cells_of(assignment.rank_of_cell, parts.comm.rank())),
      settings_(settings_on(parts.context.device(), parts.experiment(), hosted_.size())),
      island_(settings_, setup::torus_of(parts.experiment()), hosted_, *parts.resources->dataset,
              *parts.resources->scorer, parts.context.device()),
      writer_(island_, *parts.resources->dataset, parts.experiment(), parts.folder),
      keeper_(island_, settings_, setup::torus_of(parts.experiment()).cells(), parts.copies,
              parts.saver, parts.folder, surroundings_of(parts, assignment)) {
  parts_.best.go_back(assignment.start);
  parts_.saver.forget_from(assignment.start);
  keeper_.resume(assignment);
}

void Job::train() {
  parts_.master.tell(MessageKind::kBegun, comm::Begun{assignment_.incarnation});
  if (is_first_active()) {
    parts_.master.tell(MessageKind::kTaskDone, comm::TaskDone());
  }
  if (assignment_.start > parts_.run_plan.start) {
    keeper_.keep(assignment_.start, must_save(assignment_.start), [] {});
  }
  TrainingLoop loop(island_, parts_.exchange, parts_.status, last_, parts_.clock, hooks());
  for (const coev::CellReport& report : loop.run()) {
    log_warnings(report);
    send_result(report, loop.seconds(report.cell));
  }
  parts_.master.tell(MessageKind::kTraffic,
                     comm::TrafficReport{assignment_.incarnation, parts_.comm.traffic()});
}

bool Job::is_first_active() const {
  return comm::active_in(assignment_.rank_of_cell).front() == parts_.comm.rank();
}

TrainingLoop::Hooks Job::hooks() {
  TrainingLoop::Hooks hooks{
      .after_generation = [this](Generation generation,
                                 const auto& cells) { finish_generation(generation, cells); },
      .keep_going = [this] { return parts_.mailbox.keep_going(); }};
  hooks.waited_for_helpers_s = [this] { return parts_.context.cell().waited_s(); };
  // Asynchronously nobody waits for a copy, which is to be young; the other ranks of a cell wait
  // while it evolves.
  if (!parts_.exchange.is_asynchronous() && parts_.run_plan.ranks_per_cell == 1) {
    hooks.expect_messages = [this](bool are_expected) {
      parts_.comm.expect_messages(are_expected);
    };
  }
  return hooks;
}

void Job::finish_generation(Generation generation,
                            const std::vector<TrainingLoop::Evaluated>& evaluated) {
  if (is_first_active() && !has_told_scoring_) {
    parts_.master.tell(
        MessageKind::kTaskDone,
        scoring(comm::TaskKind::kScoring, parts_.experiment().score.n_samples_training));
    has_told_scoring_ = true;
  }
  parts_.best.settle(parts_.mailbox.settled());
  for (const TrainingLoop::Evaluated& cell : evaluated) {
    parts_.best.keep_if_better(island_, cell.report);
    writer_.keep_if_improved(cell.report);
  }
  keeper_.keep(generation, must_save(generation), [&] {
    for (const TrainingLoop::Evaluated& cell : evaluated) report(cell);
  });
  while (const auto task = parts_.mailbox.poll_task(generation)) serve(*task);
}

void Job::report(const TrainingLoop::Evaluated& evaluated) {
  const coev::CellReport& report = evaluated.report;
  const grid::Torus torus = setup::torus_of(parts_.experiment());
  parts_.master.tell(MessageKind::kMetrics,
                     comm::Metrics{report.cell, report.generation, told_score(report),
                                   metrics_line(report, torus, evaluated.gather_s),
                                   report.has_diverged, evaluated.work_s});
  log_warnings(report);
}

bool Job::must_save(Generation generation) const {
  const config::Experiment& experiment = parts_.experiment();
  const Generation every = config::checkpoint_interval(experiment.outputs.checkpoint).generations;
  return generation == last_ || parts_.mailbox.must_save(generation) ||
         (every > 0 && generation % every == 0);
}

void Job::send_result(const coev::CellReport& report, const TrainingLoop::Seconds& seconds) {
  comm::CellResult result = cell_result(report, island_.fingerprint(report.cell), seconds,
                                        parts_.exchange.traffic(report.cell));
  result.incarnation = assignment_.incarnation;
  parts_.master.tell(MessageKind::kResult, result);
}

void Job::log_warnings(const coev::CellReport& report) const {
  for (const std::string& warning : report.warnings) {
    parts_.master.log().warning(warning, report.cell);
  }
}

void Job::serve_tasks() {
  while (const auto task = parts_.mailbox.wait_for_task()) serve(*task);
}

void Job::serve(const comm::Task& task) {
  if (task.kind == comm::TaskKind::kImprovedSheet || task.kind == comm::TaskKind::kBestMixture) {
    return parts_.master.tell(MessageKind::kTaskDone, shown(task));
  }
  for (const CellId cell : island_.hosted()) {
    parts_.comm.send(task.writer_rank, MessageKind::kCellSamples,
                     writer_.samples_for_grid(cell).encode());
  }
  if (task.writer_rank == parts_.comm.rank()) write_final_files(task.cell);
}

comm::TaskDone Job::shown(const comm::Task& task) {
  comm::TaskDone done;
  done.kind = task.kind;
  done.generation = task.generation;
  const double start_s = parts_.clock.now_s();
  if (task.kind == comm::TaskKind::kImprovedSheet) {
    done.file =
        written("a picture", [&] { return writer_.write_improved(task.cell, task.generation); });
    done.weights = writer_.weights_of_improved(task.cell, task.generation);
  } else if (const KeptMixture* kept = parts_.best.find(task.cell, task.generation)) {
    done.file = written("the best mixture", [&] { return writer_.write_best_mixture(*kept); });
  }
  done.seconds = parts_.clock.now_s() - start_s;
  return done;
}

void Job::write_final_files(CellId best) {
  const auto samples = parts_.mailbox.wait_for_samples(parts_.run_plan.rank_of_cell.size());
  if (!parts_.mailbox.keep_going()) return;
  const std::string picture = written("a picture", [&] {
    writer_.write_pictures(best, samples);
    return std::string("samples/best.png");
  });
  writer_.write_mixture(best, last_);
  comm::TaskDone done = scoring(comm::TaskKind::kFinalFiles, parts_.experiment().score.n_samples);
  done.file = picture;
  done.generation = last_;
  parts_.master.tell(MessageKind::kTaskDone, done);
}

// A file for people that cannot be written ends no training.
std::string Job::written(const char* what, const std::function<std::string()>& write) const {
  try {
    return write();
  } catch (const CheckpointError& error) {
    parts_.master.log().warning(fmt::format("{} is left out: {}", what, error.what()));
    return {};
  }
}

// It tells how scores are taken.
comm::TaskDone Job::scoring(comm::TaskKind kind, std::uint32_t n_samples) const {
  metrics::Scorer& scorer = *parts_.resources->scorer;
  const auto floor = scorer.floor(n_samples);
  comm::TaskDone done;
  done.kind = kind;
  done.metric = scorer.metric();
  done.floor = floor.value;
  done.n_samples = floor.n_samples;
  done.judge = scorer.judge_hash();
  return done;
}

}  // namespace lipizz::worker
