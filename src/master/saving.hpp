#pragma once

#include <optional>
#include <set>
#include <string>

#include "checkpoint/run_checkpoints.hpp"
#include "comm/messages.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/clock.hpp"
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
  void all_reached(Generation generation);
  /// A cell is saved, or cannot be, which is a warning. When a generation is complete, the lines of
  /// metrics are put on the disk and all but the last two saved generations are removed.
  /// CheckpointError for a cell that cannot be saved once the run is stopping.
  void add(const comm::Saved& saved);
  /// A worker's cells stand at the end of this generation and wait, or have finished there.
  void paused(Rank worker, Generation generation) { plan_.paused(worker, generation); }

  /// To be called at every heartbeat: looks for a reason to stop, and begins to when there is one.
  /// The time limit is one as soon as it leaves no more than two of the longest generations.
  void look_for_a_reason_to_stop();

  /// A worker is lost: all cells go on from the end of this generation, on so many workers.
  void go_back(Generation generation, std::size_t n_workers);

  /// The directive to tell all active workers, when it has changed.
  [[nodiscard]] std::optional<comm::Directive> next_directive();

  /// The generation at whose end the run can be left early, once there is one.
  [[nodiscard]] std::optional<Generation> stopped_at() const { return plan_.stopped_at(); }
  /// Why it stops; empty while it does not.
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  /// The newest generation of which every cell is saved.
  [[nodiscard]] Generation newest_complete() const { return plan_.newest_complete(); }
  /// Every cell's last file is written, or cannot be.
  [[nodiscard]] bool is_settled() const;

 private:
  [[nodiscard]] std::string reason_to_stop() const;

  Generation start_;
  Generation last_;
  std::uint32_t n_cells_;
  Interruption interruption_;
  MetricsLog& metrics_;
  RunLog& log_;
  const Clock& clock_;
  checkpoint::RunCheckpoints checkpoints_;
  SavePlan plan_;
  std::string stop_reason_;
  std::set<CellId> settled_;  // saved at the end, or not to be saved
  double last_completed_s_;
  double longest_generation_s_ = 0;
};

}  // namespace lipizz::master
