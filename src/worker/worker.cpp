#include "worker/worker.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "checkpoint/run_checkpoints.hpp"
#include "config/check.hpp"
#include "config/json.hpp"
#include "nn/engine.hpp"
#include "worker/cell_file.hpp"
#include "worker/cell_saver.hpp"
#include "worker/gallery.hpp"
#include "worker/materials.hpp"
#include "worker/metrics_line.hpp"
#include "worker/training.hpp"
#include "worker/translate.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;

constexpr double kFlushTimeout_s = 5;
constexpr double kLeaseFactor = 2;  // a master is given up later than a worker

config::Experiment experiment_of(const comm::Verdict& verdict, std::string data_dir) {
  config::Experiment experiment;
  config::apply_json(verdict.experiment, "the master's configuration", experiment);
  experiment.data.dir = std::move(data_dir);
  return experiment;
}

Routes routes_of(const config::Experiment& experiment, const comm::Verdict& verdict, Rank self) {
  std::vector<Rank> rank_of_cell;
  for (const std::int32_t rank : verdict.rank_of_cell) rank_of_cell.push_back({rank});
  return {torus_of(experiment), schedule_of(experiment), experiment.generations,
          std::move(rank_of_cell), self};
}

}  // namespace

// What exists while this worker hosts cells.
struct Worker::Job {
  Job(Worker& worker, const nn::Engine& engine)
      : settings(settings_of(worker.experiment_)),
        materials(open_materials(worker.comm_, worker.verdict_, worker.experiment_, engine,
                                 cache_dir_of_environment(), worker.log_)),
        island(settings, torus_of(worker.experiment_),
               worker.verdict_.cells_of(worker.comm_.rank()), *materials.dataset, *materials.scorer,
               engine),
        gallery(island, *materials.dataset, worker.experiment_, worker.verdict_.output_dir),
        lineage{{},
                0,
                config::lineage_hash(worker.experiment_),
                worker.verdict_.numerics,
                materials.dataset->content_hash()},
        files(worker.verdict_.output_dir, torus_of(worker.experiment_).cells()),
        saver(
            [this](const coev::CellState& state) { write(state); },
            [&worker](const comm::Saved& told) { worker.tell_master(MessageKind::kSaved, told); }) {
    if (worker.verdict_.start > 0) resume(worker.verdict_.start);
  }

  void resume(Generation generation) {
    std::vector<coev::CellState> states;
    for (const CellId cell : island.hosted()) {
      states.push_back(read_cell(files.file(generation, cell), settings, origin(cell, generation)));
    }
    island.resume(std::move(states));
    saved = generation;
  }

  void save(Generation generation) {
    if (saved == generation) return;
    std::vector<coev::CellState> states;
    for (const CellId cell : island.hosted()) states.push_back(island.state(cell));
    saver.save(std::move(states));
    saved = generation;
  }

  void write(const coev::CellState& state) const {
    files.prepare(state.generation);
    write_cell(files.file(state.generation, state.id), settings, state,
               origin(state.id, state.generation));
  }

  [[nodiscard]] checkpoint::CellOrigin origin(CellId cell, Generation generation) const {
    checkpoint::CellOrigin origin = lineage;
    origin.cell = cell;
    origin.generation = generation;
    return origin;
  }

  coev::Settings settings;
  Materials materials;
  coev::Island island;
  Gallery gallery;
  checkpoint::CellOrigin lineage;  // of no cell yet
  checkpoint::RunCheckpoints files;
  Generation saved = 0;  // the last generation handed to the saver
  CellSaver saver;       // the last member: its thread uses the others
};

Worker::Worker(comm::CommManager& comm, const comm::Verdict& verdict, std::string data_dir,
               const Clock& clock)
    : comm_(comm),
      verdict_(verdict),
      clock_(clock),
      experiment_(experiment_of(verdict, std::move(data_dir))),
      log_(comm.rank(), [this](const telemetry::LogLine& line) { write_log(line); }),
      exchange_(routes_of(experiment_, verdict, comm.rank()),
                [&comm](Rank to, const comm::PublicationHeader& header,
                        std::span<const std::byte> payload) { comm.publish(to, header, payload); }),
      lease_(kLeaseFactor * experiment_.comm.dead_after_s, clock, [this](double silent_s) {
        lose_contact(std::make_exception_ptr(
            CommError(fmt::format("no word from the master for {:.0f} s", silent_s))));
      }) {}

int Worker::run() {
  comm_.start(handlers());
  try {
    const comm::Stop stop = work();
    if (stop.is_abandoned) throw comm::PeerLost("");
    comm_.stop(kFlushTimeout_s);
    return stop.exit_code;
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
    case MessageKind::kStart:
      return mailbox_.start();
    case MessageKind::kTask:
      return mailbox_.post(comm::Task::decode(message.payload));
    case MessageKind::kTiles:
      return mailbox_.post(comm::Tiles::decode(message.payload));
    case MessageKind::kCourse:
      mailbox_.set(comm::Course::decode(message.payload));
      return exchange_.reconsider();
    case MessageKind::kStop:
      lease_.release();
      mailbox_.stop(comm::Stop::decode(message.payload));
      return exchange_.interrupt();
    default:
      throw CommError("a worker got a message of kind " + std::string(name_of(message.kind)));
  }
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
}

comm::Stop Worker::work() {
  try {
    if (mailbox_.wait_for_start()) do_job();
  } catch (const coev::Interrupted&) {
    // The master knows why.
  } catch (const Error& error) {
    report_failure(error.code(), error.what());
  } catch (const std::exception& error) {
    report_failure(ExitCode::kInternal, error.what());
  }
  return mailbox_.wait_for_stop();
}

void Worker::do_job() {
  status_.enter(comm::WorkerState::kProcessing);
  const nn::Engine engine = engine_of(experiment_, verdict_.numerics);
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  Job job(*this, engine);
  if (comm_.local_rank() == 0) {
    send_floor(job, comm::TaskKind::kOpenData, experiment_.score.n_samples_training, {});
  }
  train(job);
  status_.enter(comm::WorkerState::kFinished);
  while (const auto task = mailbox_.wait_for_task()) serve(job, *task);
}

void Worker::train(Job& job) {
  const auto on_report = [&](const coev::CellReport& report, double gather_s) {
    job.gallery.keep_if_improved(report);
    tell_master(MessageKind::kMetrics,
                comm::Metrics{report.cell, report.generation, report.score,
                              metrics_line(report, torus_of(experiment_), gather_s)});
    for (const std::string& warning : report.warnings) log_.warning(warning, report.cell);
  };
  const auto after_generation = [&](Generation generation) {
    while (const auto task = mailbox_.poll_task()) serve(job, *task);
    if (must_save(generation)) job.save(generation);
  };
  const auto hold = [&](Generation generation) {
    job.save(generation);
    tell_master(MessageKind::kHolding, comm::Holding{generation});
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
  return generation == experiment_.generations || generation == mailbox_.course().save_at ||
         (every > 0 && generation % every == 0);
}

void Worker::serve(Job& job, const comm::Task& task) {
  if (task.kind == comm::TaskKind::kImprovedSheet) {
    comm::TaskDone done;
    done.kind = task.kind;
    done.file = job.gallery.write_improved(task.cell, task.generation);
    return tell_master(MessageKind::kTaskDone, done);
  }
  for (const CellId cell : job.island.hosted()) {
    comm_.send(task.writer_rank, MessageKind::kTiles, job.gallery.tiles(cell).encode());
  }
  if (task.writer_rank == comm_.rank()) write_final_files(job, task.cell);
}

void Worker::write_final_files(Job& job, CellId best) {
  const auto tiles = mailbox_.wait_for_tiles(verdict_.rank_of_cell.size());
  if (!mailbox_.keep_going()) return;
  job.gallery.write_final(best, tiles);
  send_floor(job, comm::TaskKind::kFinalFiles, experiment_.score.n_samples, "samples/grid.png");
}

void Worker::send_floor(Job& job, comm::TaskKind kind, std::uint32_t n_samples, std::string file) {
  metrics::Scorer& scorer = *job.materials.scorer;
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
    telemetry::LogFile(std::filesystem::path(verdict_.output_dir) / name).write(line);
  } catch (const CheckpointError&) {
    // Nobody is left to tell; the error that ends this rank says why it was cut off.
  }
}

}  // namespace lipizz::worker
