#include "worker/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "coev/shared_training.hpp"
#include "core/diagnosis.hpp"
#include "nn/train/rank_parts.hpp"
#include "setup/settings.hpp"
#include "worker/job.hpp"

namespace lipizz::worker {
namespace {

constexpr double kFlushTimeout_s = 5;

Routes routes_of(const config::Experiment& experiment, const comm::Assignment& assignment,
                 Rank self) {
  std::vector<Rank> rank_of_cell;
  for (const std::int32_t rank : assignment.rank_of_cell) rank_of_cell.push_back({rank});
  return {.torus = setup::torus_of(experiment),
          .schedule = setup::schedule_of(experiment),
          .last_generation = last_generation(experiment, assignment),
          .rank_of_cell = std::move(rank_of_cell),
          .self = self,
          .incarnation = assignment.incarnation,
          .is_asynchronous = config::is_asynchronous(experiment)};
}

}  // namespace

Worker::Worker(comm::CommManager& comm, const comm::RunPlan& run_plan, WorkerContext& context,
               const Clock& clock, Leaving leaving)
    : stop_request_(std::move(leaving.request)),
      parts_(comm, run_plan, context, clock),
      handler_(parts_, std::move(leaving.when_told)) {}

comm::Stop Worker::run() {
  comm::CommManager& comm = parts_.comm;
  comm.start(handler_.handlers());
  const auto asked = stop_request_->subscribe([this] { handler_.flush(); });
  try {
    const comm::Stop stop = work();
    comm.stop(stop.ending == comm::Ending::kAborted ? 0 : kFlushTimeout_s);
    return stop;
  } catch (const comm::PeerLost& lost) {
    parts_.master.log().error(lost.what());
    comm.stop(0);
    throw;
  }
}

comm::Stop Worker::work() {
  while (const auto assignment = parts_.mailbox.wait_for_assignment()) {
    try {
      train_as(*assignment);
    } catch (const coev::Interrupted&) {
      // The master knows why.
    } catch (...) {
      report(std::current_exception());
    }
  }
  return parts_.mailbox.wait_for_stop();
}

void Worker::train_as(const comm::Assignment& assignment) {
  const Rank self = parts_.comm.rank();
  const Rank worker = worker_of(self, parts_.run_plan.ranks_per_cell);
  const std::vector<Rank> active = comm::active_in(assignment.rank_of_cell);
  const bool is_spare = std::ranges::find(active, worker) == active.end();
  parts_.status.enter(is_spare ? comm::WorkerState::kInactive : comm::WorkerState::kProcessing);
  open_resources(parts_.resources, peers_of(assignment), parts_.experiment(),
                 parts_.context.device(), cache_folders(parts_.run_plan.output_dir),
                 parts_.master.log());
  if (is_spare) return;
  join_cell(assignment);
  if (self != worker) return help(assignment);
  tell_what_is_not_shared();
  parts_.exchange.begin(routes_of(parts_.experiment(), assignment, self));
  Job job(parts_, assignment);
  job.train();
  parts_.status.enter(comm::WorkerState::kFinished);
  job.serve_tasks();
}

// Those of the cell's ranks that are not lost compute together from now on.
void Worker::join_cell(const comm::Assignment& assignment) {
  const std::uint32_t n = parts_.run_plan.ranks_per_cell;
  const Rank self = parts_.comm.rank();
  const Rank worker = worker_of(self, n);
  std::vector<Rank> ranks = comm::with_helpers(std::span(&worker, 1), n);
  std::erase_if(ranks, [&](Rank rank) {
    return std::ranges::find(assignment.lost, rank.value) != assignment.lost.end();
  });
  parts_.context.join_cell(std::move(ranks), self, assignment.incarnation);
}

// The ranks that are left may not have as many micro-batches each.
void Worker::tell_what_is_not_shared() const {
  const nn::Collectives* const ranks = parts_.context.device().replicas();
  if (ranks == nullptr || ranks->size() == 1) return;
  const coev::Settings settings = setup::settings_of(parts_.experiment());
  for (const coev::NetworkRole role : coev::kNetworkRoles) {
    const nn::OptimizerSpec& optimizer = coev::network_settings(settings, role).optimizer;
    const nn::StepOptions options = coev::step_options(settings, role);
    const nn::ZeroStage stage = nn::zero_stage(optimizer, options, ranks);
    if (stage >= optimizer.zero || !optimizer.shares_updates()) continue;
    const bool is_of_opponent = stage == nn::ZeroStage::kGradients;
    parts_.master.log().warning(fmt::format(
        "{}.zero is {} for now: {} micro-batches do not come out even on {} {}, which takes more "
        "memory",
        to_string(role), static_cast<int>(stage),
        is_of_opponent ? options.n_micro_batches_of_opponent : options.n_micro_batches,
        ranks->size(), parts_.context.device().pipeline() == nullptr ? "ranks" : "pipelines"));
  }
}

// Until the assignment is over.
void Worker::help(const comm::Assignment& assignment) {
  parts_.master.tell(comm::MessageKind::kBegun, comm::Begun{assignment.incarnation});
  const coev::Settings settings = setup::settings_of(parts_.experiment());
  coev::TrainingHelper helper(parts_.context.device(), settings, *parts_.resources->dataset);
  for (;;) {
    helper.train([this](Generation generation) { parts_.status.begin(generation); },
                 [this] { return parts_.mailbox.keep_going(); });
  }
}

PeerGroup Worker::peers_of(const comm::Assignment& assignment) {
  return {.self = parts_.comm.rank(),
          .members = parts_.members_of(assignment),
          .hosts = parts_.run_plan.hosts,
          .send =
              [this](Rank to, const comm::SharedResource& resource) {
                parts_.comm.send(to, comm::MessageKind::kSharedResource, resource.encode());
              },
          .wait = [this](auto kind) { return parts_.mailbox.wait_for_resource(kind); },
          .fail = [this](const std::exception_ptr& failure) { report(failure); }};
}

void Worker::report(const std::exception_ptr& failure) const {
  if (!parts_.mailbox.keep_going()) return;
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    parts_.master.report_failure(error.code(), error.what());
  } catch (const std::exception& error) {  // of this process alone
    const Diagnosis diagnosis = diagnosis_of(error);
    const Rank self = parts_.comm.rank();
    parts_.master.report_failure(
        diagnosis.code, fmt::format("rank {} on {}: {}", self.value,
                                    parts_.run_plan.hosts[static_cast<std::size_t>(self.value)],
                                    diagnosis.message));
  }
}

}  // namespace lipizz::worker
