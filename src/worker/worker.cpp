#include "worker/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "config/check.hpp"
#include "config/json.hpp"
#include "grid/buddies.hpp"
#include "worker/metrics_line.hpp"
#include "worker/sample_writer.hpp"
#include "worker/state_keeper.hpp"
#include "worker/training.hpp"
#include "worker/translate.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;

constexpr double kFlushTimeout_s = 5;
constexpr double kLeaseFactor = 2;  // a master is given up later than a worker

Routes routes_of(const config::Experiment& experiment, const comm::Assignment& assignment,
                 Rank self) {
  std::vector<Rank> rank_of_cell;
  for (const std::int32_t rank : assignment.rank_of_cell) rank_of_cell.push_back({rank});
  return {torus_of(experiment),
          schedule_of(experiment),
          experiment.generations,
          std::move(rank_of_cell),
          self,
          assignment.incarnation,
          config::is_asynchronous(experiment)};
}

void check(const comm::Assignment& assignment, const comm::RunPlan& run_plan) {
  const auto n_ranks = static_cast<std::int32_t>(run_plan.hosts.size());
  const auto is_worker = [&](std::int32_t rank) { return rank > kMaster.value && rank < n_ranks; };
  const auto& hosts = assignment.rank_of_cell;
  if (hosts.size() == run_plan.rank_of_cell.size() && std::ranges::all_of(hosts, is_worker)) return;
  throw CommError("an assignment of other cells or ranks than this run's arrived");
}

// On a device of its own all cells train in the same launches; a processor's caches hold one.
coev::Settings settings_on(const nn::Device& device, const config::Experiment& experiment,
                           std::size_t n_hosted) {
  coev::Settings settings = settings_of(experiment);
  if (!device.is_host()) settings.group_size = static_cast<std::uint32_t>(n_hosted);
  return settings;
}

}  // namespace

// What exists while this worker hosts cells.
struct Worker::Job {
  Job(Worker& worker, const comm::Assignment& assignment)
      : hosted(comm::cells_of(assignment.rank_of_cell, worker.comm_.rank())),
        settings(settings_on(worker.context_.device(), worker.experiment_, hosted.size())),
        island(settings, torus_of(worker.experiment_), hosted, *worker.resources_->dataset,
               *worker.resources_->scorer, worker.context_.device()),
        writer(island, *worker.resources_->dataset, worker.experiment_,
               worker.run_plan_.output_dir),
        keeper(island, settings, torus_of(worker.experiment_).cells(), worker.copies_,
               worker.surroundings_of(assignment)) {
    keeper.resume(assignment);
  }

  std::vector<CellId> hosted;
  coev::Settings settings;
  coev::Island island;
  SampleWriter writer;
  StateKeeper keeper;
};

Worker::Worker(comm::CommManager& comm, const comm::RunPlan& run_plan, WorkerContext& context,
               const Clock& clock)
    : comm_(comm),
      run_plan_(run_plan),
      clock_(clock),
      context_(context),
      experiment_(context.experiment()),
      log_(comm.rank(), [this](const telemetry::LogLine& line) { write_log(line); }),
      exchange_([&comm](Rank to, const comm::PublicationHeader& header,
                        const Publication& payload) { comm.publish(to, header, payload); }),
      lease_(kLeaseFactor * experiment_.comm.dead_after_s, clock, [this](double silent_s) {
        lose_contact(std::make_exception_ptr(
            CommError(fmt::format("no word from the master for {:.0f} s", silent_s))));
      }) {}

comm::Stop Worker::run() {
  comm_.start(handlers());
  try {
    const comm::Stop stop = work();
    if (stop.ending == comm::Ending::kAborted) throw comm::PeerLost("");
    comm_.stop(kFlushTimeout_s);
    return stop;
  } catch (const comm::PeerLost& lost) {
    if (is_cut_off_) log_.error(lost.what());
    comm_.stop(0);
    throw;
  }
}

comm::CommManager::Handlers Worker::handlers() {
  return {.on_message = [this](const comm::Message& message) { handle(message); },
          .on_publication =
              [this](const comm::PublicationHeader& header, Bytes publication) {
                exchange_.deliver(header, std::move(publication));
              },
          .on_failure = [this](const std::exception_ptr& failure) { lose_contact(failure); }};
}

void Worker::handle(const comm::Message& message) {
  switch (message.kind) {
    case MessageKind::kPing:
      lease_.renew();
      return tell_master(MessageKind::kStatus, status_.status());
    case MessageKind::kAssign:
      return follow(comm::Assignment::decode(message.payload));
    case MessageKind::kTask:
      return mailbox_.post(comm::Task::decode(message.payload));
    case MessageKind::kCellSamples:
      return mailbox_.post(comm::CellSamples::decode(message.payload));
    case MessageKind::kSharedResource:
      return mailbox_.post(comm::SharedResource::decode(message.payload));
    case MessageKind::kCopy:
      return keep(comm::CellCopy::decode(message.payload));
    case MessageKind::kStable:
      return copies_.drop_before(comm::Stable::decode(message.payload).generation);
    case MessageKind::kDirective:
      mailbox_.set(comm::Directive::decode(message.payload));
      return exchange_.reconsider();
    case MessageKind::kStop:
      lease_.release();
      mailbox_.stop(comm::Stop::decode(message.payload));
      exchange_.interrupt();
      return copies_.reconsider();
    default:
      throw CommError("a worker got a message of kind " + std::string(name_of(message.kind)));
  }
}

void Worker::follow(comm::Assignment assignment) {
  check(assignment, run_plan_);
  for (const std::int32_t rank : assignment.lost) comm_.forget({rank});
  copies_.begin(assignment.incarnation, assignment.start);
  hand_over(assignment);
  const std::uint32_t incarnation = assignment.incarnation;
  mailbox_.assign(std::move(assignment));
  exchange_.interrupt(incarnation);
  copies_.reconsider();
}

// The copies that the master found here, to those who go on from them.
void Worker::hand_over(const comm::Assignment& assignment) {
  for (std::uint32_t cell = 0; cell < assignment.rank_of_cell.size(); ++cell) {
    const Rank host{assignment.rank_of_cell[cell]};
    if (assignment.source_of_cell[cell] != comm_.rank().value || host == comm_.rank()) continue;
    const auto bytes = copies_.find({cell}, assignment.start);
    if (!bytes) {
      throw InternalError(fmt::format("rank {} has no copy of cell {} at generation {}",
                                      comm_.rank().value, cell, assignment.start));
    }
    const comm::CellCopy copy{{assignment.incarnation, {cell}, assignment.start}, *bytes};
    comm_.send(host, MessageKind::kCopy, copy.encode());
  }
}

void Worker::keep(comm::CellCopy copy) {
  const auto& [incarnation, cell, generation] = copy.about;
  const bool is_kept = copies_.keep(
      incarnation, {cell, generation, std::make_shared<const Bytes>(std::move(copy.state))});
  if (is_kept) tell_master(MessageKind::kHeld, copy.about);
}

void Worker::lose_contact(const std::exception_ptr& failure) {
  is_cut_off_ = true;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    mailbox_.fail(std::make_exception_ptr(
        comm::PeerLost(fmt::format("rank {}: {}", comm_.rank().value, error.what()))));
  }
  exchange_.interrupt();
  copies_.reconsider();
}

comm::Stop Worker::work() {
  while (const auto assignment = mailbox_.wait_for_assignment()) {
    try {
      do_job(*assignment);
    } catch (const coev::Interrupted&) {
      // The master knows why.
    } catch (const Error& error) {
      report_failure(error.code(), error.what());
    } catch (const std::exception& error) {
      report_failure(ExitCode::kInternal, error.what());
    }
  }
  return mailbox_.wait_for_stop();
}

void Worker::do_job(const comm::Assignment& assignment) {
  const std::vector<Rank> active = comm::active_in(assignment.rank_of_cell);
  const bool is_spare = std::ranges::find(active, comm_.rank()) == active.end();
  if (!is_spare) status_.enter(comm::WorkerState::kProcessing);
  open_resources(resources_, peers_of(assignment), experiment_, context_.device(),
                 cache_dir_of_environment(), log_);
  if (is_spare) return;
  exchange_.begin(routes_of(experiment_, assignment, comm_.rank()));
  Job job(*this, assignment);
  tell_master(MessageKind::kBegun, comm::Begun{assignment.incarnation});
  if (active.front() == comm_.rank()) {
    send_floor(comm::TaskKind::kOpenData, experiment_.score.n_samples_training, {});
  }
  if (assignment.start > run_plan_.start) {
    job.keeper.keep(assignment.start, must_save(assignment.start));
  }
  train(job);
  status_.enter(comm::WorkerState::kFinished);
  while (const auto task = mailbox_.wait_for_task()) serve(job, *task);
}

// Spares are among them where they may get cells at any time.
std::vector<Rank> Worker::members_of(const comm::Assignment& assignment) const {
  return run_plan_.survives_losses ? comm::living_among(run_plan_.hosts.size(), assignment.lost)
                                   : comm::active_in(assignment.rank_of_cell);
}

PeerGroup Worker::peers_of(const comm::Assignment& assignment) {
  return {comm_.rank(), members_of(assignment), run_plan_.hosts,
          [this](Rank to, const comm::SharedResource& material) {
            comm_.send(to, MessageKind::kSharedResource, material.encode());
          },
          [this](comm::SharedResource::Kind kind) { return mailbox_.wait_for_resource(kind); }};
}

void Worker::train(Job& job) {
  const auto on_report = [&](const coev::CellReport& report, double gather_s) {
    job.writer.keep_if_improved(report);
    tell_master(MessageKind::kMetrics,
                comm::Metrics{report.cell, report.generation, report.score,
                              metrics_line(report, torus_of(experiment_), gather_s)});
    for (const std::string& warning : report.warnings) log_.warning(warning, report.cell);
  };
  const auto after_generation = [&](Generation generation) {
    job.keeper.keep(generation, must_save(generation));
    while (const auto task = mailbox_.poll_task()) serve(job, *task);
  };
  const auto hold = [&](Generation generation) {
    job.keeper.keep(generation, true);
    tell_master(MessageKind::kPaused, comm::Paused{generation});
    if (!mailbox_.wait_while_held(generation)) throw coev::Interrupted();
  };
  Training training(job.island, exchange_, status_, experiment_.generations, clock_,
                    {.on_report = on_report,
                     .after_generation = after_generation,
                     .must_hold = [this](Generation g) { return mailbox_.must_hold(g); },
                     .hold = hold,
                     .keep_going = [this] { return mailbox_.keep_going(); }});
  for (const coev::CellReport& report : training.run()) {
    for (const std::string& warning : report.warnings) log_.warning(warning, report.cell);
    send_result(job, report, training.profile(report.cell));
  }
}

bool Worker::must_save(Generation generation) const {
  const Generation every = config::checkpoint_interval(experiment_.checkpoint).generations;
  return generation == experiment_.generations || mailbox_.must_save(generation) ||
         (every > 0 && generation % every == 0);
}

StateKeeper::Surroundings Worker::surroundings_of(const comm::Assignment& assignment) {
  StateKeeper::Surroundings around;
  around.output_dir = run_plan_.output_dir;
  around.lineage.configuration = config::lineage_hash(experiment_);
  around.lineage.numerics = run_plan_.numerics;
  around.lineage.dataset = resources_->dataset->content_hash();
  // Asynchronously a copy of every generation between the hindmost and the foremost would be kept.
  if (run_plan_.survives_losses && !config::is_asynchronous(experiment_)) {
    around.buddies = grid::buddies_of(comm_.rank(), members_of(assignment), run_plan_.hosts);
  }
  around.send = [this](Rank to, const comm::CellCopy& copy) {
    comm_.send(to, MessageKind::kCopy, copy.encode());
  };
  around.tell = [this](const comm::Saved& told) { tell_master(MessageKind::kSaved, told); };
  around.gives_up = [this] { return !mailbox_.keep_going(); };
  return around;
}

void Worker::serve(Job& job, const comm::Task& task) {
  if (task.kind == comm::TaskKind::kImprovedSheet) {
    comm::TaskDone done;
    done.kind = task.kind;
    done.file = job.writer.write_improved(task.cell, task.generation);
    return tell_master(MessageKind::kTaskDone, done);
  }
  for (const CellId cell : job.island.hosted()) {
    comm_.send(task.writer_rank, MessageKind::kCellSamples, job.writer.tiles(cell).encode());
  }
  if (task.writer_rank == comm_.rank()) write_final_files(job, task.cell);
}

void Worker::write_final_files(Job& job, CellId best) {
  const auto tiles = mailbox_.wait_for_samples(run_plan_.rank_of_cell.size());
  if (!mailbox_.keep_going()) return;
  job.writer.write_final(best, tiles);
  send_floor(comm::TaskKind::kFinalFiles, experiment_.score.n_samples, "samples/grid.png");
}

void Worker::send_floor(comm::TaskKind kind, std::uint32_t n_samples, std::string file) {
  metrics::Scorer& scorer = *resources_->scorer;
  const auto floor = scorer.floor(n_samples);
  tell_master(MessageKind::kTaskDone,
              comm::TaskDone{kind, std::string(scorer.metric()), floor.value, floor.n_samples,
                             std::move(file)});
}

void Worker::send_result(const Job& job, const coev::CellReport& report,
                         const telemetry::Profile& profile) {
  comm::CellResult result;
  result.cell = report.cell;
  result.score = report.score;
  result.fingerprint = job.island.fingerprint(report.cell);
  result.class_shares = report.class_shares;
  for (const auto& [name, value] : report.score_details) result.details.push_back({name, value});
  for (const auto& [cell, weight] : report.mixture) result.mixture.push_back({cell, weight});
  for (const auto& [name, seconds] : profile.entries()) result.profile.push_back({name, seconds});
  const Exchange::Traffic traffic = exchange_.traffic(report.cell);
  result.exchange_messages = traffic.messages;
  result.exchange_bytes = traffic.bytes;
  tell_master(MessageKind::kResult, result);
}

template <class Payload>
void Worker::tell_master(MessageKind kind, const Payload& payload) {
  comm_.send(kMaster, kind, payload.encode());
}

void Worker::report_failure(ExitCode code, const std::string& message) {
  if (!mailbox_.keep_going()) return;
  tell_master(MessageKind::kFailure, comm::Failure{static_cast<std::int32_t>(code), message});
}

// Cut off from the master, a rank's last lines go into a file of its own.
void Worker::write_log(const telemetry::LogLine& line) {
  if (!is_cut_off_) {
    comm_.send(kMaster, MessageKind::kLog, telemetry::encode(line));
    return;
  }
  const std::string name = fmt::format("run.rank{}.log", comm_.rank().value);
  try {
    telemetry::LogFile(std::filesystem::path(run_plan_.output_dir) / name).write(line);
  } catch (const CheckpointError&) {
    // Nobody is left to tell; the error that ends this rank says why it was cut off.
  }
}

}  // namespace lipizz::worker
