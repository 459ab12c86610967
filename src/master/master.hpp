#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "checkpoint/run_checkpoints.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "master/assignments.hpp"
#include "master/console.hpp"
#include "master/heartbeat.hpp"
#include "master/interruption.hpp"
#include "master/metrics_log.hpp"
#include "master/result.hpp"
#include "master/save_plan.hpp"
#include "telemetry/log.hpp"

namespace lipizz::master {

/// The rank that trains nothing: starts the workers, watches them, gathers what they tell into the
/// run's folder, and names the best. It runs no network; pictures and weights are a worker's task.
///
/// Its main thread handles one event after the other; the communication thread and the heartbeat
/// thread only queue them.
class Master {
 public:
  /// After form_groups(); the run's folder exists. The references must outlive it. `experiment` is
  /// the resolved one of the verdict; `notes` tell what the set-up found, for the log.
  Master(comm::CommManager& comm, const comm::RunPlan& run_plan,
         const config::Experiment& experiment, std::vector<comm::InventoryEntry> inventory,
         std::vector<std::string> notes, Console::Streams streams, Interruption interruption,
         const Clock& clock);

  /// Once. Returns when the run has ended well and every worker has been told to leave: kDone, or
  /// kResumable when it was interrupted and every cell is saved. Throws the first error of any rank
  /// after telling all workers to leave with its code; PeerLost when the message layer fails or a
  /// worker is dead without whom the run cannot go on, after which the caller must abort the job.
  ExitCode run();

  /// Those who were lost on the way.
  [[nodiscard]] const std::set<Rank>& lost() const { return assignments_.lost(); }
  /// How all ranks leave when the run ends in order.
  [[nodiscard]] comm::Ending ending() const {
    return lost().empty() ? comm::Ending::kTogether : comm::Ending::kAlone;
  }

  /// Whether any worker has come so far as to open its data; before, there is nothing to keep.
  [[nodiscard]] bool has_begun() const { return !metric_.empty(); }

 private:
  struct Beat {};
  using Event =
      std::variant<comm::Message, comm::HeartbeatMonitor::Event, std::exception_ptr, Beat>;

  [[nodiscard]] comm::CommManager::Handlers handlers();
  void post(Event event);
  Event next_event();

  void begin();
  ExitCode lead();
  [[nodiscard]] bool all_is_told() const;
  void handle_next_event();
  void handle(const comm::Message& message);
  void handle_training(const comm::Message& message);
  void handle(const comm::HeartbeatMonitor::Event& event);
  void handle(const std::exception_ptr& failure);
  void handle(Beat);
  void give_up(Rank rank, double silent_s);
  void assign();
  [[nodiscard]] std::string reason_to_stop() const;
  void steer();
  void add_saved(const comm::Saved& saved);
  void add_metrics(comm::Metrics metrics);
  void add_result(comm::CellResult result);
  void add_log_line(const telemetry::LogLine& line);
  void end_task(const comm::TaskDone& done);
  void ask_for_picture(const MetricsLog::Completed& completed);
  void ask_for_final_files();
  [[nodiscard]] RunResult gathered() const;
  void summarise(const RunResult& result);
  void stop_all(comm::Stop stop);

  [[nodiscard]] std::string described(Rank rank) const;

  comm::CommManager& comm_;
  const comm::RunPlan& run_plan_;
  const config::Experiment& experiment_;
  std::vector<comm::InventoryEntry> inventory_;
  std::vector<std::string> notes_;
  Interruption interruption_;
  const Clock& clock_;
  grid::Torus torus_;
  Assignments assignments_;
  telemetry::LogFile log_file_;
  telemetry::Log log_;
  Console console_;
  MetricsLog metrics_;

  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<Event> events_;
  Heartbeat heartbeat_;
  bool has_heard_all_ = false;
  std::atomic<std::uint64_t> received_messages_ = 0;  // without heartbeats
  std::atomic<std::uint64_t> received_bytes_ = 0;
  std::atomic<bool> has_lost_ = false;  // from then on a word of any kind may be one of the dead

  checkpoint::RunCheckpoints checkpoints_;
  SavePlan saves_;
  std::string stop_reason_;   // empty: none yet
  std::set<CellId> settled_;  // saved at the end, or not to be saved
  double last_completed_s_;
  double longest_generation_s_ = 0;

  std::map<CellId, comm::CellResult> results_;
  std::string metric_;
  double floor_ = std::numeric_limits<double>::quiet_NaN();
  std::uint32_t floor_n_samples_ = 0;
  bool has_asked_for_final_files_ = false;
  bool has_final_files_ = false;
  double best_score_ = std::numeric_limits<double>::infinity();
  Generation last_picture_ = 0;
};

}  // namespace lipizz::master
