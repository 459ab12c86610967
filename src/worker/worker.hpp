#pragma once

#include <atomic>
#include <exception>
#include <optional>
#include <string>

#include "coev/island.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "telemetry/log.hpp"
#include "telemetry/profile.hpp"
#include "worker/cell_copies.hpp"
#include "worker/exchange.hpp"
#include "worker/lease.hpp"
#include "worker/mailbox.hpp"
#include "worker/shared_resources.hpp"
#include "worker/state_keeper.hpp"
#include "worker/status_board.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::worker {

/// A rank that trains. The calling thread is the training thread; the CommManager's is the
/// communication thread, which answers heartbeats at once and fills the mailbox and the exchange.
///
/// inactive until the master assigns cells (a spare stays so), processing until the results are
/// sent, then finished: it serves the master's tasks until told to stop. Another assignment, after
/// a worker has been lost, begins all of this again from an earlier generation.
class Worker {
 public:
  /// After form_groups(). The references must outlive it.
  Worker(comm::CommManager& comm, const comm::RunPlan& run_plan, WorkerContext& context,
         const Clock& clock);

  /// Once. Returns what the master says at the end; an error of this worker goes to the master,
  /// who says it. Throws PeerLost when the message layer fails, or the master ends the job because
  /// of another rank; the caller must abort this process then.
  comm::Stop run();

 private:
  [[nodiscard]] comm::CommManager::Handlers handlers();
  void handle(const comm::Message& message);
  void lose_contact(const std::exception_ptr& failure);

  void follow(comm::Assignment assignment);
  void hand_over(const comm::Assignment& assignment);
  void keep(comm::CellCopy copy);

  struct Job;
  comm::Stop work();
  void do_job(const comm::Assignment& assignment);
  void train(Job& job);
  [[nodiscard]] bool must_save(Generation generation) const;
  [[nodiscard]] std::vector<Rank> members_of(const comm::Assignment& assignment) const;
  [[nodiscard]] PeerGroup peers_of(const comm::Assignment& assignment);
  [[nodiscard]] StateKeeper::Surroundings surroundings_of(const comm::Assignment& assignment);
  void serve(Job& job, const comm::Task& task);
  void write_final_files(Job& job, CellId best);
  void send_floor(comm::TaskKind kind, std::uint32_t n_samples, std::string file);
  void send_result(const Job& job, const coev::CellReport& report,
                   const telemetry::Profile& profile);
  template <class Payload>
  void tell_master(comm::MessageKind kind, const Payload& payload);
  void report_failure(ExitCode code, const std::string& message);
  void write_log(const telemetry::LogLine& line);

  comm::CommManager& comm_;
  const comm::RunPlan& run_plan_;
  const Clock& clock_;
  WorkerContext& context_;
  const config::Experiment& experiment_;
  telemetry::Log log_;
  StatusBoard status_;
  Mailbox mailbox_;
  Exchange exchange_;
  CellCopies copies_;
  std::optional<SharedResources> resources_;
  std::atomic<bool> is_cut_off_ = false;
  Lease lease_;  // the last member: its thread uses the others
};

}  // namespace lipizz::worker
