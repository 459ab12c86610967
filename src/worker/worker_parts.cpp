#include "worker/worker_parts.hpp"

#include "checkpoint/run_checkpoints.hpp"
#include "setup/settings.hpp"

namespace lipizz::worker {

WorkerParts::WorkerParts(comm::CommManager& comm_manager, const comm::RunPlan& plan,
                         WorkerContext& worker_context, const Clock& system_clock)
    : comm(comm_manager),
      run_plan(plan),
      context(worker_context),
      clock(system_clock),
      master(comm_manager, plan.output_dir),
      folder(plan.output_dir),
      exchange([this](std::span<const comm::Reader> readers, const Publication& payload) {
        comm.publish(readers, payload);
      }),
      saver([this](const HeldState& cell) { write(cell); },
            [this](const comm::Saved& saved) { master.tell(comm::MessageKind::kSaved, saved); },
            clock) {
  context.cell().connect(
      {.send = [this](Rank to,
                      Bytes part) { comm.send(to, comm::MessageKind::kCellPart, std::move(part)); },
       .progress_until = [this](const std::function<bool()>& is_over,
                                double max_s) { comm.progress_until(is_over, max_s); },
       .clock = &clock});
}

void WorkerParts::write(const HeldState& cell) const {
  const checkpoint::RunCheckpoints files(folder.present(), setup::torus_of(experiment()).cells());
  files.prepare(cell.generation);
  cell.snapshot->write(files.file(cell.generation, cell.cell));
}

std::vector<Rank> WorkerParts::members_of(const comm::Assignment& assignment) const {
  return run_plan.survives_losses ? comm::living_among(run_plan.hosts.size(), assignment.lost)
                                  : comm::with_helpers(comm::active_in(assignment.rank_of_cell),
                                                       run_plan.ranks_per_cell);
}

}  // namespace lipizz::worker
