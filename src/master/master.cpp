#include "master/master.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <tuple>
#include <utility>

#include "config/model.hpp"
#include "core/diagnosis.hpp"
#include "core/durable_folder.hpp"
#include "core/hash.hpp"
#include "master/run_folder.hpp"
#include "master/set_aside.hpp"
#include "setup/agreement/inventory_text.hpp"

namespace lipizz::master {
namespace {

using comm::MessageKind;
using Kind = report::RunEvent::Kind;
namespace fs = std::filesystem;

constexpr double kFlushTimeout_s = 5;
constexpr double kLostFlushTimeout_s = 1;  // the lost rank takes nothing

std::int32_t code_of(ExitCode code) {
  return static_cast<std::int32_t>(code);
}

grid::Torus torus_of(const config::Experiment& experiment) {
  return {experiment.grid.rows, experiment.grid.columns};
}

fs::path metrics_path(const comm::RunPlan& run_plan) {
  return fs::path(run_plan.output_dir) / "metrics.jsonl";
}

BestMixture best_so_far(const comm::RunPlan& run_plan, const grid::Torus& torus,
                        const Clock& clock) {
  return {best_of_lines(metrics_path(run_plan), torus, run_plan.start),
          written_best(run_plan.output_dir, torus), clock};
}

std::vector<std::string> hosts_of(const std::vector<comm::InventoryEntry>& inventory) {
  std::vector<std::string> hosts;
  for (const comm::InventoryEntry& entry : inventory) hosts.push_back(entry.host);
  return hosts;
}

std::vector<Rank> workers_of(const comm::CommManager& comm) {
  return comm::living_among(static_cast<std::size_t>(comm.size()), {});
}

}  // namespace

Master::Master(comm::CommManager& comm, const comm::RunPlan& run_plan,
               const config::Experiment& experiment, std::vector<comm::InventoryEntry> inventory,
               RunOrigin origin, Console::Streams streams, Interruption interruption,
               Relocation::Fits fits, const Clock& clock)
    : comm_(comm),
      run_plan_(run_plan),
      experiment_(experiment),
      inventory_(std::move(inventory)),
      origin_(std::move(origin)),
      log_(run_plan.output_dir, {std::move(streams), clock}),
      assignments_(run_plan, inventory_,
                   run_plan.survives_losses && !config::is_asynchronous(experiment)),
      metrics_(metrics_path(run_plan), torus_of(experiment).cells(), run_plan.start),
      saving_(experiment, run_plan, std::move(interruption), metrics_, log_, clock),
      gathering_(experiment, assignments_, metrics_, log_, clock,
                 best_so_far(run_plan, torus_of(experiment), clock),
                 [this](Rank rank, const comm::Task& task) {
                   comm_.send(rank, MessageKind::kTask, task.encode());
                 }),
      relocation_(experiment, assignments_, saving_, gathering_, metrics_, log_,
                  run_plan.output_dir, clock, std::move(fits),
                  {.forget = [this](Rank rank) { comm_.forget(rank); },
                   .assign = [this] { assign(); },
                   .tell_of_idle =
                       [this](Rank rank) {
                         tell(assignments_.members(), MessageKind::kLost, comm::Lost{rank.value});
                       }}),
      heartbeat_(
          workers_of(comm), {experiment.comm.late_after_s, experiment.comm.dead_after_s},
          experiment.comm.heartbeat_s, clock,
          [this](Rank rank) { comm_.send(rank, MessageKind::kPing, {}); },
          [this](const comm::HeartbeatMonitor::Event& event) { events_.post(event); },
          [this] { events_.post(Beat{}); }) {}

ExitCode Master::run() {
  comm_.start(handlers());
  heartbeat_.start();
  const auto asked = saving_.when_asked_to_stop([this] { events_.post(Beat{}); });
  try {
    begin();
    const ExitCode code = lead();
    stop_all(code_of(code));
    return code;
  } catch (const comm::PeerLost& lost) {
    note_failure(lost.what());
    log_.lines().error(lost.what());
    stop_all({code_of(lost.code()), comm::Ending::kAborted});
    throw;
  } catch (const std::exception& error) {
    note_failure(diagnosis_of(error).message);
    stop_all(code_of(diagnosis_of(error).code));
    throw;
  }
}

// The disk may be what failed, and the error in hand counts.
void Master::note_failure(const std::string& text) {
  try {
    log_.happened({.kind = Kind::kFailed, .text = text});
  } catch (const CheckpointError&) {
  }
}

comm::CommManager::Handlers Master::handlers() {
  return {.on_message =
              [this](comm::Message message) {
                heartbeat_.heard_from(message.source);
                events_.post(std::move(message));
              },
          .on_publication =
              [](const comm::PublicationHeader&, const Bytes&) {
                throw CommError("a publication came to the master, which hosts no cell");
              },
          .on_unauthenticated = [this](Rank source) { events_.post(Unauthenticated{source}); },
          .on_failure = [this](std::exception_ptr failure) { events_.post(std::move(failure)); }};
}

void Master::begin() {
  if (is_missing(configuration_file())) write_file(configuration_file(), run_plan_.experiment);
  const telemetry::Log& lines = log_.lines();
  log_.happened({.kind = Kind::kBegun,
                 .generation = run_plan_.start,
                 .generations = experiment_.generations,
                 .torus = torus_of(experiment_),
                 .ranks = {hosts_of(inventory_), run_plan_.ranks_per_cell}});
  for (const std::string& line : setup::inventory_lines(inventory_, run_plan_)) lines.info(line);
  lines.info(fmt::format("numerics {}, engine {}, configuration {}", run_plan_.numerics,
                         experiment_.compute.engine, to_hex(inventory_.front().configuration)));
  for (const std::string& note : origin_.notes.lines) log_.say(note);
  for (const std::string& warning : origin_.notes.warnings) log_.warn("start", warning);
  lines.info(
      run_plan_.survives_losses
          ? "cells of a lost worker move to others"
          : "a lost worker ends the run; with mpirun --enable-recovery its cells would move");
  if (experiment_.outputs.tensorboard) {
    log_.show_tensorboard(run_plan_.output_dir, torus_of(experiment_), run_plan_.start);
  }
  if (gathering_.is_out_of_patience(run_plan_.start)) return end_at(run_plan_.start);
  assign();
}

// A run that is resumed leaves the result and the configuration of before as they are until there
// are data to train on.
void Master::supersede_result() {
  set_result_aside(run_plan_.output_dir);
  write_file(configuration_file(), run_plan_.experiment);
}

fs::path Master::configuration_file() const {
  return fs::path(run_plan_.output_dir) / "config.json";
}

ExitCode Master::lead() {
  while (!gathering_.has_final_files()) {
    std::visit([this](const auto& event) { handle(event); }, events_.take());
    steer();
    if (const auto generation = saving_.stopped_at()) return leave_early(*generation);
  }
  return finish();
}

// Takes the actions that follow from the events so far.
void Master::steer() {
  if (const auto stable = assignments_.newly_stable(metrics_.written())) {
    tell(assignments_.members(), MessageKind::kStable, comm::Stable{*stable});
  }
  if (const auto directive = saving_.next_directive()) {
    tell(assignments_.active(), MessageKind::kDirective, *directive);
  }
  const bool is_over = gathering_.has_all() && saving_.is_settled();
  gathering_.ask_for_best_mixture(is_over || !saving_.stop_reason().empty());
  if (is_over) gathering_.ask_for_final_files();
}

// Cells that are ahead go back, so that the run ends the same whatever was faster.
void Master::end_at(Generation generation) {
  log_.say(fmt::format("no better score for {} generations: the run ends with generation {}",
                       experiment_.stop.patience, generation));
  assignments_.end_at(generation);
  saving_.end_at(generation, assignments_.active().size());
  gathering_.go_back();
  assign();
}

ExitCode Master::finish() {
  saving_.check_folder();
  metrics_.sync();
  RunResult result;
  result.torus = torus_of(experiment_);
  result.generations = gathering_.last_generation();
  result.start = run_plan_.start;
  result.numerics = run_plan_.numerics;
  result.engine = experiment_.compute.engine;
  result.scoring.n_samples = experiment_.score.n_samples;
  gathering_.fill(result);
  const comm::Traffic sent = comm_.traffic();
  result.traffic += sent;
  result.master = received_;
  for (const comm::Traffic::Count& count : sent.by_scope) result.master += count;
  result.inventory = inventory_;
  result.devices = run_plan_.devices;
  result.lost = assignments_.lost();
  result.rank_of_cell = assignments_.present().rank_of_cell;
  describe(result.provenance);
  write_file(fs::path(run_plan_.output_dir) / "result.json", result_json(result));
  for (const comm::CellResult& cell : result.cells) {
    log_.lines().info(fmt::format("final {} {:.6g}", result.scoring.metric, cell.score), cell.cell);
  }
  log_.happened({.kind = Kind::kFinished});
  log_.lines().info("finished, fingerprint " + to_hex(fingerprint_of(result.cells)));
  log_.say(summary(result));
  if (const std::string best = best_generation_text(result); !best.empty()) log_.say(best);
  const std::string& picture = gathering_.picture();
  if (!picture.empty()) log_.console().say("samples: " + run_plan_.output_dir + "/" + picture);
  log_.console().say("run:     " + run_plan_.output_dir);
  log_.sync();
  return ExitCode::kDone;
}

void Master::describe(Provenance& provenance) const {
  provenance.origin = origin_;
  provenance.name = experiment_.name;
  provenance.dataset = experiment_.data.dataset;
  provenance.model = config::model_text(experiment_.model);
  provenance.seed = experiment_.seed;
  provenance.configuration = inventory_.front().configuration;
}

ExitCode Master::leave_early(Generation generation) {
  saving_.check_folder();
  const std::string where = generation == 0 ? "before the end of the first generation"
                                            : fmt::format("at the end of generation {} of {}",
                                                          generation, experiment_.generations);
  metrics_.sync();
  log_.happened({.kind = Kind::kStopped, .text = saving_.stop_reason()});
  const std::string text = "stopped " + where + ": " + saving_.stop_reason();
  log_.lines().info(text);
  log_.sync();
  log_.console().say(text + "; to go on: " + origin_.resume_command + " " + run_plan_.output_dir);
  return ExitCode::kResumable;
}

void Master::stop_all(std::int32_t exit_code) {
  stop_all({exit_code, lost().empty() ? comm::Ending::kTogether : comm::Ending::kAlone});
}

// Where mpirun lets the others of a lost rank go on, they have to be told as well. A rank that only
// slept finds the same message when it wakes.
void Master::stop_all(comm::Stop stop) {
  heartbeat_.stop();
  tell(workers_of(comm_), MessageKind::kStop, stop);
  for (const Rank rank : assignments_.lost()) {
    if (!assignments_.has_returned(rank)) comm_.forget(rank);
  }
  const bool is_aborted = stop.ending == comm::Ending::kAborted;
  if (comm_.stop(is_aborted ? kLostFlushTimeout_s : kFlushTimeout_s)) ending_ = stop.ending;
}

void Master::handle(const comm::Message& message) {
  if (message.kind != MessageKind::kStatus) received_ += {1, message.payload.size()};
  if (assignments_.is_lost(message.source)) return hear_from_lost(message);
  switch (message.kind) {
    case MessageKind::kStatus:
      return assignments_.answered(message.source, comm::Status::decode(message.payload));
    case MessageKind::kLog:
      return log_.add(telemetry::decode_log_line(message.payload));
    case MessageKind::kBegun:
      return assignments_.begun(message.source, comm::Begun::decode(message.payload));
    case MessageKind::kHeld:
      return assignments_.held(message.source, comm::Held::decode(message.payload));
    case MessageKind::kTraffic:
      return gathering_.add(message.source, comm::TrafficReport::decode(message.payload));
    case MessageKind::kResult:
      return gathering_.add(comm::CellResult::decode(message.payload));
    case MessageKind::kFlushed:
      if (assignments_.is_present(comm::Flushed::decode(message.payload).incarnation)) {
        if (assignments_.is_active(message.source)) saving_.flushed(message.source);
      }
      return;
    case MessageKind::kFailure: {
      const auto failure = comm::Failure::decode(message.payload);
      log_.lines().error(assignments_.described(message.source) + ": " + failure.message);
      throw Error(static_cast<ExitCode>(failure.exit_code), failure.message);
    }
    default:
      return handle_training(message);
  }
}

// It slept, and its cells live elsewhere: the news of them is not needed any more, and a failure
// there ends nothing but itself.
void Master::hear_from_lost(const comm::Message& message) {
  const Rank rank = message.source;
  if (message.kind == MessageKind::kFailure) {
    log_.warn(assignments_.name_of(rank), assignments_.name_of(rank) +
                                              ", which was given up, leaves: " +
                                              comm::Failure::decode(message.payload).message);
    assignments_.lose_again(rank);
    return tell({rank}, MessageKind::kStop,
                comm::Stop{code_of(ExitCode::kDone), comm::Ending::kGivenUp});
  }
  if (message.kind == MessageKind::kLog) log_.add(telemetry::decode_log_line(message.payload));
  if (message.kind == MessageKind::kStatus) {
    assignments_.answered(rank, comm::Status::decode(message.payload));
  }
  if (assignments_.has_returned(rank)) return;
  log_.happened({.kind = Kind::kReturned, .rank = rank});
  log_.warn(assignments_.name_of(rank), assignments_.name_of(rank) +
                                            " answers again after it was given up; it is a spare "
                                            "from now on");
  heartbeat_.revive(rank);
  tell({rank}, MessageKind::kAssign, assignments_.take_back(rank));
}

// A worker's messages of an incarnation that is over are ignored: they will come again. Files that
// are saved are looked at by themselves.
void Master::handle_training(const comm::Message& message) {
  const bool counts = assignments_.has_begun(message.source);
  switch (message.kind) {
    case MessageKind::kMetrics: {
      if (!counts) return;
      auto metrics = comm::Metrics::decode(message.payload);
      return take(std::move(metrics));
    }
    case MessageKind::kTaskDone: {
      if (!counts) return;
      auto done = comm::TaskDone::decode(message.payload);
      if (done.kind == comm::TaskKind::kOpenData) supersede_result();
      return gathering_.add(std::move(done));
    }
    case MessageKind::kSaved:
      return take(comm::Saved::decode(message.payload));
    default:
      throw CommError(fmt::format("the master got a message of kind {} from {}",
                                  name_of(message.kind), assignments_.described(message.source)));
  }
}

// A file of a generation that all begin with, or of an earlier one, is what it was.
void Master::take(const comm::Saved& saved) {
  const bool counts = assignments_.is_present(saved.incarnation) ||
                      saved.generation <= assignments_.present().start;
  if (counts) saving_.add(saved);
}

void Master::take(comm::Metrics metrics) {
  saving_.reached(metrics.generation);
  const auto [cell, generation, seconds] =
      std::tuple(metrics.cell, metrics.generation, metrics.seconds);
  const auto all_completed = gathering_.add(std::move(metrics));
  relocation_.add(cell, generation, seconds);
  for (const MetricsLog::Completed& completed : all_completed) {
    saving_.all_reached(completed.generation);
    saving_.look_for_a_reason_to_stop();
    const bool is_last = completed.generation == gathering_.last_generation();
    const bool is_leaving = !saving_.stop_reason().empty();
    if (gathering_.is_out_of_patience(completed.generation) && !is_last && !is_leaving) {
      return end_at(completed.generation);
    }
    if (!is_last && !is_leaving) relocation_.balance(completed.generation);
  }
}

void Master::handle(const comm::HeartbeatMonitor::Event& event) {
  const std::string who = assignments_.described(event.rank);
  switch (event.change) {
    case comm::HeartbeatMonitor::Change::kLate:
      log_.happened({.kind = Kind::kLate, .rank = event.rank, .silent_s = event.silent_s});
      return log_.warn(assignments_.name_of(event.rank),
                       fmt::format("{} is late: silent for {:.1f} s; last: {}", who, event.silent_s,
                                   assignments_.activity_of(event.rank)));
    case comm::HeartbeatMonitor::Change::kBack:
      log_.happened({.kind = Kind::kBack, .rank = event.rank});
      return log_.lines().info(who + " answers again");
    case comm::HeartbeatMonitor::Change::kDead:
      log_.happened({.kind = Kind::kLost, .rank = event.rank});
      return relocation_.give_up(event.rank, event.silent_s);
  }
}

void Master::handle(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    const Diagnosis diagnosis = diagnosis_of(error);
    throw comm::PeerLost("the master cannot reach the workers any more: " + diagnosis.message,
                         diagnosis.code);
  }
}

void Master::handle(Beat) {
  log_.console().beat();
  if (heartbeat_.newly_heard_all()) log_.lines().info("all workers answer");
  saving_.look_for_a_reason_to_stop();
}

void Master::handle(Unauthenticated message) {
  log_.warn("unauthenticated", comm::unauthenticated_text(message.claimed_source));
}

void Master::assign() {
  const comm::Assignment& present = assignments_.present();
  report::RunEvent event{.kind = Kind::kAssigned, .generation = present.start};
  for (const std::int32_t rank : present.rank_of_cell) event.rank_of_cell.push_back({rank});
  log_.happened(std::move(event));
  tell(assignments_.members(), MessageKind::kAssign, present);
}

template <class Payload>
void Master::tell(const std::vector<Rank>& ranks, MessageKind kind, const Payload& payload) {
  const Bytes bytes = payload.encode();
  for (const Rank rank : ranks) comm_.send(rank, kind, bytes);
}

}  // namespace lipizz::master
