#pragma once

#include <optional>
#include <vector>

#include "checkpoint/held_folder.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "core/clock.hpp"
#include "worker/best_mixture.hpp"
#include "worker/cell_copies.hpp"
#include "worker/cell_saver.hpp"
#include "worker/exchange.hpp"
#include "worker/mailbox.hpp"
#include "worker/master_link.hpp"
#include "worker/shared_resources.hpp"
#include "worker/status_board.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::worker {

/// A worker works with these from its start to its end. Handlers of messages fill the mailbox, the
/// exchange and the copies; the training thread takes from them. Each guards itself.
struct WorkerParts {
  /// The references must outlive it.
  WorkerParts(comm::CommManager& comm_manager, const comm::RunPlan& plan,
              WorkerContext& worker_context, const Clock& system_clock);

  [[nodiscard]] const config::Experiment& experiment() const { return context.experiment(); }
  /// The ranks that share resources, ascending; the workers among them keep copies for each other.
  /// Spares are among them where they may get cells at any time.
  [[nodiscard]] std::vector<Rank> members_of(const comm::Assignment& assignment) const;

  comm::CommManager& comm;
  const comm::RunPlan& run_plan;
  WorkerContext& context;
  const Clock& clock;
  MasterLink master;
  checkpoint::HeldFolder folder;  // of the run
  StatusBoard status;
  Mailbox mailbox;
  Exchange exchange;
  CellCopies copies;
  CellSaver saver;
  // The training thread alone uses these.
  std::optional<SharedResources> resources;
  BestMixture best;

 private:
  void write(const HeldState& cell) const;
};

}  // namespace lipizz::worker
