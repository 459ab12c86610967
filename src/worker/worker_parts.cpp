#include "worker/worker_parts.hpp"

namespace lipizz::worker {

WorkerParts::WorkerParts(comm::CommManager& comm_manager, const comm::RunPlan& plan,
                         WorkerContext& worker_context, const Clock& system_clock)
    : comm(comm_manager),
      run_plan(plan),
      context(worker_context),
      clock(system_clock),
      master(comm_manager, plan.output_dir),
      exchange([this](Rank to, const comm::PublicationHeader& header, const Publication& payload) {
        comm.publish(to, header, payload);
      }) {}

std::vector<Rank> WorkerParts::members_of(const comm::Assignment& assignment) const {
  return run_plan.survives_losses ? comm::living_among(run_plan.hosts.size(), assignment.lost)
                                  : comm::active_in(assignment.rank_of_cell);
}

}  // namespace lipizz::worker
