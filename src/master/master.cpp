#include "master/master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "config/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "master/agreement.hpp"
#include "master/run_folder.hpp"

namespace lipizz::master {
namespace {

using comm::MessageKind;
namespace fs = std::filesystem;

constexpr double kFlushTimeout_s = 5;
constexpr double kLostFlushTimeout_s = 1;  // the lost rank takes nothing
constexpr Generation kPictures = 50;       // at most, of improved mixtures, in a run

std::int32_t code_of(ExitCode code) {
  return static_cast<std::int32_t>(code);
}

// Beside two generations, which is how far cells may be apart: for saving and for the end of MPI.
constexpr double kTimeToLeave_s = 5;

SavePlan::Limits limits_of(const config::Experiment& experiment, const comm::RunPlan& run_plan) {
  return {.every_s = config::checkpoint_interval(experiment.checkpoint).seconds,
          .n_cells = experiment.grid.rows * experiment.grid.columns,
          .n_workers = comm::active_in(run_plan.rank_of_cell).size(),
          .start = run_plan.start,
          .last = experiment.generations,
          .is_asynchronous = config::is_asynchronous(experiment)};
}

// `; cell 3 goes to rank 5, all cells go on from generation 12`
std::string where_to(const std::vector<CellId>& moved, const comm::Assignment& next) {
  std::string text = ";";
  for (const CellId cell : moved) {
    text += fmt::format(" cell {} goes to rank {},", cell.value, next.rank_of_cell[cell.value]);
  }
  return text + (next.start == 0 ? " all cells begin again"
                                 : fmt::format(" all cells go on from generation {}", next.start));
}

std::vector<Rank> workers_of(const comm::CommManager& comm) {
  return comm::living_among(static_cast<std::size_t>(comm.size()), {});
}

}  // namespace

Master::Master(comm::CommManager& comm, const comm::RunPlan& run_plan,
               const config::Experiment& experiment, std::vector<comm::InventoryEntry> inventory,
               std::vector<std::string> notes, Console::Streams streams, Interruption interruption,
               const Clock& clock)
    : comm_(comm),
      run_plan_(run_plan),
      experiment_(experiment),
      inventory_(std::move(inventory)),
      notes_(std::move(notes)),
      interruption_(std::move(interruption)),
      clock_(clock),
      torus_{experiment.grid.rows, experiment.grid.columns},
      assignments_(run_plan, inventory_),
      log_file_(fs::path(run_plan.output_dir) / "run.log"),
      log_(kMaster, [this](const telemetry::LogLine& line) { log_file_.write(line); }),
      console_(std::move(streams), torus_, experiment.generations, clock),
      metrics_(fs::path(run_plan.output_dir) / "metrics.jsonl", torus_.cells(), run_plan.start),
      heartbeat_(
          workers_of(comm), {experiment.comm.late_after_s, experiment.comm.dead_after_s},
          experiment.comm.heartbeat_s, clock,
          [this](Rank rank) { comm_.send(rank, MessageKind::kPing, {}); },
          [this](const comm::HeartbeatMonitor::Event& event) { post(event); },
          [this] { post(Beat{}); }),
      checkpoints_(run_plan.output_dir, torus_.cells()),
      saves_(limits_of(experiment, run_plan), clock.now_s()),
      last_completed_s_(clock.now_s()) {}

ExitCode Master::run() {
  comm_.start(handlers());
  heartbeat_.start();
  try {
    begin();
    const ExitCode code = lead();
    stop_all({code_of(code)});
    return code;
  } catch (const comm::PeerLost& lost) {
    log_.error(lost.what());
    stop_all({code_of(lost.code()), comm::Ending::kAborted});
    throw;
  } catch (const Error& error) {
    stop_all({code_of(error.code())});
    throw;
  } catch (const std::exception&) {
    stop_all({code_of(ExitCode::kInternal)});
    throw;
  }
}

comm::CommManager::Handlers Master::handlers() {
  return {.on_message =
              [this](comm::Message message) {
                heartbeat_.heard_from(message.source);
                const bool is_heartbeat = message.kind == MessageKind::kStatus;
                if (is_heartbeat && !has_lost_) return;
                received_messages_ += is_heartbeat ? 0 : 1;
                received_bytes_ += is_heartbeat ? 0 : message.payload.size();
                post(std::move(message));
              },
          .on_publication =
              [](const comm::PublicationHeader&, const Bytes&) {
                throw CommError("a publication came to the master, which hosts no cell");
              },
          .on_failure = [this](std::exception_ptr failure) { post(std::move(failure)); }};
}

void Master::post(Event event) {
  const std::scoped_lock lock(mutex_);
  events_.push_back(std::move(event));
  posted_.notify_one();
}

Master::Event Master::next_event() {
  std::unique_lock lock(mutex_);
  posted_.wait(lock, [this] { return !events_.empty(); });
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void Master::begin() {
  std::error_code none_there;
  fs::remove(fs::path(run_plan_.output_dir) / "result.json", none_there);
  write_file(fs::path(run_plan_.output_dir) / "config.json", run_plan_.experiment);
  for (const std::string& line : inventory_lines(inventory_, run_plan_)) log_.info(line);
  log_.info(fmt::format("numerics {}, engine {}, configuration {}", run_plan_.numerics,
                        experiment_.engine, to_hex(inventory_.front().configuration)));
  for (const std::string& note : notes_) {
    log_.info(note);
    console_.say(note);
  }
  log_.info(run_plan_.survives_losses
                ? "cells of a lost worker move to others"
                : "a lost worker ends the run; with mpirun --enable-recovery its cells would move");
  assign();
}

void Master::assign() {
  const Bytes assignment = assignments_.present().encode();
  for (const Rank rank : assignments_.members()) {
    comm_.send(rank, MessageKind::kAssign, assignment);
  }
}

ExitCode Master::lead() {
  while (!has_final_files_) {
    handle_next_event();
    steer();
    if (all_is_told() && !std::exchange(has_asked_for_final_files_, true)) ask_for_final_files();
    if (const auto generation = saves_.stopped_at()) {
      const std::string text = fmt::format("stopped at the end of generation {} of {}: {}",
                                           *generation, experiment_.generations, stop_reason_);
      log_.info(text);
      console_.say(text + "; to go on: lipizz --resume " + run_plan_.output_dir);
      return ExitCode::kResumable;
    }
  }
  const RunResult result = gathered();
  write_file(fs::path(run_plan_.output_dir) / "result.json", result_json(result));
  summarise(result);
  return ExitCode::kDone;
}

// Every result, and of every cell's last file that it is written or cannot be.
bool Master::all_is_told() const {
  const bool is_settled =
      run_plan_.start == experiment_.generations || settled_.size() == torus_.cells();
  return is_settled && results_.size() == torus_.cells();
}

void Master::handle_next_event() {
  std::visit([this](const auto& event) { handle(event); }, next_event());
}

void Master::handle(const comm::Message& message) {
  if (assignments_.is_lost(message.source)) {  // it slept, and its cells live elsewhere
    return comm_.send(message.source, MessageKind::kStop,
                      comm::Stop{code_of(ExitCode::kDone), comm::Ending::kGivenUp}.encode());
  }
  switch (message.kind) {
    case MessageKind::kStatus:
      return;
    case MessageKind::kLog:
      return add_log_line(telemetry::decode_log_line(message.payload));
    case MessageKind::kBegun:
      return assignments_.begun(message.source, comm::Begun::decode(message.payload));
    case MessageKind::kHeld:
      return assignments_.held(message.source, comm::Held::decode(message.payload));
    case MessageKind::kFailure: {
      const auto failure = comm::Failure::decode(message.payload);
      log_.error(described(message.source) + ": " + failure.message);
      throw Error(static_cast<ExitCode>(failure.exit_code), failure.message);
    }
    case MessageKind::kMetrics:
    case MessageKind::kResult:
    case MessageKind::kTaskDone:
    case MessageKind::kSaved:
    case MessageKind::kPaused:
      // What a worker still tells of an incarnation that is over will come again.
      if (assignments_.has_begun(message.source)) handle_training(message);
      return;
    default:
      throw CommError(fmt::format("the master got a message of kind {} from {}",
                                  name_of(message.kind), described(message.source)));
  }
}

void Master::handle_training(const comm::Message& message) {
  switch (message.kind) {
    case MessageKind::kMetrics:
      return add_metrics(comm::Metrics::decode(message.payload));
    case MessageKind::kResult:
      return add_result(comm::CellResult::decode(message.payload));
    case MessageKind::kTaskDone:
      return end_task(comm::TaskDone::decode(message.payload));
    case MessageKind::kSaved:
      return add_saved(comm::Saved::decode(message.payload));
    default:
      return saves_.holds(message.source, comm::Paused::decode(message.payload).generation);
  }
}

void Master::handle(const comm::HeartbeatMonitor::Event& event) {
  const std::string who = described(event.rank);
  switch (event.change) {
    case comm::HeartbeatMonitor::Change::kLate: {
      const std::string text = fmt::format("{} is late: silent for {:.1f} s", who, event.silent_s);
      log_.warning(text);
      return console_.warn(name_of(inventory_, static_cast<std::size_t>(event.rank.value)), text);
    }
    case comm::HeartbeatMonitor::Change::kBack:
      return log_.info(who + " answers again");
    case comm::HeartbeatMonitor::Change::kDead:
      return give_up(event.rank, event.silent_s);
  }
}

void Master::give_up(Rank rank, double silent_s) {
  const std::string text =
      fmt::format("{} is given up after {:.1f} s of silence", described(rank), silent_s);
  if (!assignments_.can_lose(rank)) {
    throw comm::PeerLost(text + ", and the run ends; what it has written is in " +
                         run_plan_.output_dir);
  }
  has_lost_ = true;
  comm_.forget(rank);
  const std::vector<CellId> moved = comm::cells_of(assignments_.present().rank_of_cell, rank);
  const comm::Assignment& next =
      assignments_.lose(rank, saves_.newest_complete(), metrics_.written());
  const std::string told = text + where_to(moved, next);
  log_.warning(told);
  console_.warn(name_of(inventory_, static_cast<std::size_t>(rank.value)), told);
  saves_.go_back(next.start, assignments_.active().size());
  metrics_.go_back();
  results_.clear();
  has_asked_for_final_files_ = false;
  last_completed_s_ = clock_.now_s();
  assign();
}

void Master::handle(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    throw comm::PeerLost(
        fmt::format("the master cannot reach the workers any more: {}", error.what()));
  }
}

void Master::handle(Beat) {
  if (!has_heard_all_ && heartbeat_.has_heard_all()) {
    has_heard_all_ = true;
    log_.info("all workers answer");
  }
  // Asked also while the run is stopping: a second interrupt ends the process at once.
  const std::string reason = reason_to_stop();
  if (reason.empty() || !stop_reason_.empty()) return;
  stop_reason_ = reason;
  log_.warning(stop_reason_ + ": all cells are brought to the end of a generation and saved");
  saves_.stop();
}

std::string Master::reason_to_stop() const {
  const std::string asked = interruption_.requested();
  const double needed_s = kTimeToLeave_s + 2 * longest_generation_s_;
  return clock_.now_s() + needed_s >= interruption_.until_s ? "the time limit" : asked;
}

void Master::steer() {
  if (const auto safe = assignments_.newly_stable(metrics_.written())) {
    for (const Rank rank : assignments_.members()) {
      comm_.send(rank, MessageKind::kStable, comm::Stable{*safe}.encode());
    }
  }
  const auto directive = saves_.next_directive(clock_.now_s());
  if (!directive) return;
  for (const Rank rank : assignments_.active()) {
    comm_.send(rank, MessageKind::kDirective, directive->encode());
  }
}

void Master::add_saved(const comm::Saved& saved) {
  if (saved.generation == experiment_.generations) settled_.insert(saved.cell);
  if (!saved.error.empty()) {
    if (!stop_reason_.empty()) throw CheckpointError(saved.error);
    log_.warning(saved.error, saved.cell);
    return console_.warn("saving", saved.error);
  }
  const Generation before = saves_.newest_complete();
  if (const auto complete = saves_.saved(saved.cell, saved.generation)) {
    metrics_.sync();
    checkpoints_.remove_before(before);
    log_.info(fmt::format("generation {} is saved", *complete));
  }
}

void Master::add_metrics(comm::Metrics metrics) {
  saves_.reached(metrics.generation);
  for (const MetricsLog::Completed& completed : metrics_.add(std::move(metrics))) {
    saves_.all_reached(completed.generation);
    console_.progress(completed.generation, completed.best, completed.score, floor_);
    const double now_s = clock_.now_s();
    longest_generation_s_ = std::max(longest_generation_s_, now_s - last_completed_s_);
    last_completed_s_ = now_s;
    ask_for_picture(completed);
  }
}

void Master::add_result(comm::CellResult result) {
  const CellId cell = result.cell;
  if (cell.value < torus_.cells())
    saves_.holds(assignments_.host_of(cell), experiment_.generations);
  if (cell.value >= torus_.cells() || !results_.try_emplace(cell, std::move(result)).second) {
    throw CommError(fmt::format("an unexpected result of cell {} arrived", cell.value));
  }
}

void Master::add_log_line(const telemetry::LogLine& line) {
  log_file_.write(line);
  if (line.level == telemetry::Level::kInfo) return;
  const std::string cell = line.cell ? " cell " + std::to_string(line.cell->value) : "";
  console_.warn("rank " + std::to_string(line.rank.value) + cell, telemetry::described(line));
}

void Master::end_task(const comm::TaskDone& done) {
  if (!done.file.empty()) log_.info("written: " + done.file);
  if (done.kind == comm::TaskKind::kImprovedSheet) return;
  metric_ = done.metric;
  floor_ = done.floor;
  floor_n_samples_ = done.n_samples;
  has_final_files_ = done.kind == comm::TaskKind::kFinalFiles;
}

// Which pictures are asked for depends on scores alone, not on timing.
void Master::ask_for_picture(const MetricsLog::Completed& completed) {
  if (!(completed.score < best_score_)) return;
  best_score_ = completed.score;
  const Generation pause = (experiment_.generations + kPictures - 1) / kPictures;
  if (last_picture_ > 0 && completed.generation - last_picture_ < pause) return;
  last_picture_ = completed.generation;
  const Rank host = assignments_.host_of(completed.best);
  comm_.send(host, MessageKind::kTask,
             comm::Task{comm::TaskKind::kImprovedSheet, completed.best, completed.generation, host}
                 .encode());
}

void Master::ask_for_final_files() {
  std::vector<comm::CellResult> cells;
  for (const auto& [cell, result] : results_) cells.push_back(result);
  const CellId best = cells[best_of(cells)].cell;
  const comm::Task task{comm::TaskKind::kFinalFiles, best, experiment_.generations,
                        assignments_.host_of(best)};
  for (const Rank rank : assignments_.active()) {
    comm_.send(rank, MessageKind::kTask, task.encode());
  }
}

RunResult Master::gathered() const {
  RunResult result;
  result.torus = torus_;
  result.generations = experiment_.generations;
  result.start = assignments_.present().start;
  result.numerics = run_plan_.numerics;
  result.engine = experiment_.engine;
  for (const auto& [cell, each] : results_) result.cells.push_back(each);
  result.metric = metric_;
  result.floor = floor_;
  result.floor_n_samples = floor_n_samples_;
  result.n_samples = experiment_.score.n_samples;
  const comm::Traffic::Count sent = comm_.traffic().control;
  result.master_messages = received_messages_ + sent.messages;
  result.master_bytes = received_bytes_ + sent.bytes;
  result.inventory = inventory_;
  result.devices = run_plan_.devices;
  result.lost = assignments_.lost();
  result.n_active = assignments_.active().size();
  return result;
}

void Master::summarise(const RunResult& result) {
  const comm::CellResult& best = result.cells[best_of(result.cells)];
  log_.info("finished, fingerprint " + to_hex(fingerprint_of(result.cells)));
  console_.say(fmt::format("best cell ({}, {}): {} {:.4g}, real samples among themselves {:.4g}",
                           torus_.row(best.cell), torus_.column(best.cell), metric_, best.score,
                           floor_));
  console_.say("samples: " + run_plan_.output_dir + "/samples/grid.png");
  console_.say("run:     " + run_plan_.output_dir);
}

// Where mpirun lets the others of a lost rank go on, they have to be told as well. A rank that only
// slept finds the same message when it wakes.
void Master::stop_all(comm::Stop stop) {
  heartbeat_.stop();
  const bool is_aborted = stop.ending == comm::Ending::kAborted;
  if (!is_aborted) stop.ending = ending();
  for (const Rank rank : workers_of(comm_)) {
    comm_.send(rank, MessageKind::kStop, stop.encode());
  }
  for (const Rank rank : assignments_.lost()) comm_.forget(rank);
  comm_.stop(is_aborted ? kLostFlushTimeout_s : kFlushTimeout_s);
}

std::string Master::described(Rank rank) const {
  std::vector<std::string> cells;
  for (const CellId cell : comm::cells_of(assignments_.present().rank_of_cell, rank))
    cells.push_back(std::to_string(cell.value));
  return fmt::format("{} ({})", name_of(inventory_, static_cast<std::size_t>(rank.value)),
                     cells.empty() ? "a spare" : "cells " + join(cells));
}

}  // namespace lipizz::master
