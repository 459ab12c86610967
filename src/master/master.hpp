#pragma once

#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "master/assignments.hpp"
#include "master/console.hpp"
#include "master/event_queue.hpp"
#include "master/gathering.hpp"
#include "master/heartbeat.hpp"
#include "master/interruption.hpp"
#include "master/metrics_log.hpp"
#include "master/provenance.hpp"
#include "master/relocation.hpp"
#include "master/run_log.hpp"
#include "master/saving.hpp"
#include "master/start_notes.hpp"

namespace lipizz::master {

/// The rank that trains nothing: starts the workers, watches them, gathers what they tell into the
/// run's folder, and names the best. It runs no network; pictures and weights are a worker's task.
///
/// Its main thread handles one event after the other; the communication thread and the heartbeat
/// thread only queue them. Small state machines handle the events: Assignments, Relocation, Saving
/// and Gathering.
class Master {
 public:
  /// After form_groups(); the run's folder exists. The references must outlive it. `experiment` is
  /// the resolved one of the run plan.
  Master(comm::CommManager& comm, const comm::RunPlan& run_plan,
         const config::Experiment& experiment, std::vector<comm::InventoryEntry> inventory,
         RunOrigin origin, Console::Streams streams, Interruption interruption,
         Relocation::Fits fits, const Clock& clock);

  ~Master() { comm_.end(); }  // its handlers use this object
  Master(const Master&) = delete;
  Master& operator=(const Master&) = delete;

  /// Once. Returns when the run has ended well and every worker has been told to leave: kDone, or
  /// kResumable when it was interrupted and every cell is saved. Throws the first error of any rank
  /// after telling all workers to leave with its code; PeerLost when the message layer fails or a
  /// worker is dead without whom the run cannot go on, after which the caller must abort the job.
  ExitCode run();

  /// Those who were lost on the way.
  [[nodiscard]] const std::set<Rank>& lost() const { return assignments_.lost(); }
  /// How all ranks leave; kAborted until every worker has been told otherwise, since they wait for
  /// that.
  [[nodiscard]] comm::Ending ending() const { return ending_; }

  /// True once any worker has opened its data; before, there is nothing to keep.
  [[nodiscard]] bool has_begun() const { return gathering_.has_begun(); }

 private:
  [[nodiscard]] comm::CommManager::Handlers handlers();

  void begin();
  ExitCode lead();
  void steer();
  ExitCode finish();
  void describe(Provenance& provenance) const;
  ExitCode leave_early(Generation generation);
  void stop_all(std::int32_t exit_code);
  void stop_all(comm::Stop stop);
  void note_failure(const std::string& text);

  void handle(const comm::Message& message);
  void take(comm::Metrics metrics);
  void take(const comm::Saved& saved);
  void end_at(Generation generation);
  void supersede_result();
  [[nodiscard]] std::filesystem::path configuration_file() const;
  void hear_from_lost(const comm::Message& message);
  void handle_training(const comm::Message& message);
  void handle(const comm::HeartbeatMonitor::Event& event);
  void handle(const std::exception_ptr& failure);
  void handle(Beat);
  void handle(Unauthenticated message);

  void assign();
  template <class Payload>
  void tell(const std::vector<Rank>& ranks, comm::MessageKind kind, const Payload& payload);

  comm::CommManager& comm_;
  const comm::RunPlan& run_plan_;
  const config::Experiment& experiment_;
  std::vector<comm::InventoryEntry> inventory_;
  RunOrigin origin_;
  RunLog log_;
  Assignments assignments_;
  MetricsLog metrics_;
  Saving saving_;
  Gathering gathering_;
  Relocation relocation_;
  comm::Ending ending_ = comm::Ending::kAborted;
  comm::Traffic::Count received_;  // without answers to heartbeats
  EventQueue events_;
  Heartbeat heartbeat_;  // the last member: its thread uses the others
};

}  // namespace lipizz::master
