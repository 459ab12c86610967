#pragma once

#include <optional>
#include <set>
#include <string>

#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
#include "master/folder_guard.hpp"
#include "master/interruption.hpp"
#include "master/metrics_log.hpp"
#include "master/run_log.hpp"
#include "master/save_plan.hpp"

namespace lipizz::master {

/// Saving all cells together, and leaving a run early with all of them saved: SavePlan with the
/// files, the clock and the reasons to stop. Used by one thread.
class Saving {
 public:
  /// The references must outlive it. Times count from here.
  Saving(const config::Experiment& experiment, const comm::RunPlan& run_plan,
         Interruption interruption, MetricsLog& metrics, RunLog& log, const Clock& clock);

  /// A cell has evaluated this generation.
  void reached(Generation generation) { plan_.reached(generation); }
  /// Every cell has; the time since the generation before counts as its length.
  void all_reached(Generation generation) { plan_.all_reached(generation, clock_.now_s()); }
  /// A cell is saved, or cannot be, which is a warning. When a generation is complete, that is
  /// noted, the lines of metrics are put on the disk and all but the last two saved generations are
  /// removed; trouble with that is a warning, too.
  /// CheckpointError for a cell that cannot be saved once the run is stopping.
  void add(const comm::Saved& saved);
  /// A worker has saved all that it held, after it was told to leave.
  void flushed(Rank worker) { plan_.flushed(worker); }

  /// `listener` hears when somebody asks the run to stop, as StopRequest says.
  [[nodiscard]] StopRequest::Subscription when_asked_to_stop(StopRequest::Listener listener) {
    return interruption_.request->subscribe(std::move(listener));
  }

  /// To be called at every heartbeat, when a generation ends and when somebody asks the run to
  /// stop: looks for a reason to, and begins when there is one. The time limit is one as soon as it
  /// leaves no more than some seconds and two saves; so is the loss of the run's folder
  /// (master/folder_guard.hpp).
  void look_for_a_reason_to_stop();

  /// Cells are assigned anew: all go on from the end of this generation, on so many workers.
  void go_back(Generation generation, std::size_t n_workers);

  /// All cells go back to the end of this generation, with which the run ends.
  void end_at(Generation generation, std::size_t n_workers);

  /// The directive to tell all active workers, when it has changed.
  [[nodiscard]] std::optional<comm::Directive> next_directive();

  /// To be called before the run is left: CheckpointError when its folder is not what it was.
  void check_folder() const { guard_.tell_loss(); }

  /// The generation at whose end the run can be left early, once there is one.
  [[nodiscard]] std::optional<Generation> stopped_at() const { return plan_.stopped_at(); }
  /// Why it stops; empty while it does not.
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  /// The newest generation of which every cell is saved.
  [[nodiscard]] Generation newest_complete() const { return plan_.newest_complete(); }
  /// Every cell's last file is written, or cannot be.
  [[nodiscard]] bool is_settled() const;

 private:
  void keep(Generation complete, Generation before);
  [[nodiscard]] std::string reason_to_stop() const;

  std::string experiment_;  // JSON
  Generation start_;
  Generation last_;
  std::uint32_t n_cells_;
  Interruption interruption_;
  MetricsLog& metrics_;
  RunLog& log_;
  const Clock& clock_;
  FolderGuard guard_;
  SavePlan plan_;
  std::string stop_reason_;
  std::set<CellId> settled_;  // saved at the end, or not to be saved
};

}  // namespace lipizz::master
