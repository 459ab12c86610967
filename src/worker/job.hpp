#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coev/island.hpp"
#include "comm/messages.hpp"
#include "core/ids.hpp"
#include "worker/sample_writer.hpp"
#include "worker/state_keeper.hpp"
#include "worker/training_loop.hpp"
#include "worker/worker_parts.hpp"

namespace lipizz::worker {

/// The generation with which an assignment ends.
Generation last_generation(const config::Experiment& experiment,
                           const comm::Assignment& assignment);

/// Does what one assignment asks of a worker that hosts cells: train them, tell their results, then
/// serve the master's tasks. The training thread uses it.
///
/// Whatever waits throws coev::Interrupted when the assignment is over.
class Job {
 public:
  /// Makes the cells, or brings them back to where the assignment begins. The shared resources are
  /// open. The parts must outlive it. CheckpointError when a file or copy is not what it should be.
  Job(WorkerParts& parts, const comm::Assignment& assignment);

  /// From the assignment's start to the results.
  void train();
  /// Until the assignment is over.
  void serve_tasks();

 private:
  [[nodiscard]] bool is_first_active() const;
  [[nodiscard]] TrainingLoop::Hooks hooks();
  void finish_generation(Generation generation,
                         const std::vector<TrainingLoop::Evaluated>& evaluated);
  void report(const TrainingLoop::Evaluated& evaluated);
  [[nodiscard]] bool must_save(Generation generation) const;
  void send_result(const coev::CellReport& report, const TrainingLoop::Seconds& seconds);
  void log_warnings(const coev::CellReport& report) const;

  void serve(const comm::Task& task);
  void write_final_files(CellId best);
  [[nodiscard]] comm::TaskDone shown(const comm::Task& task);
  [[nodiscard]] std::string written(const char* what,
                                    const std::function<std::string()>& write) const;
  [[nodiscard]] comm::TaskDone scoring(comm::TaskKind kind, std::uint32_t n_samples) const;

  WorkerParts& parts_;
  comm::Assignment assignment_;
  Generation last_;
  std::vector<CellId> hosted_;
  coev::Settings settings_;
  coev::Island island_;
  SampleWriter writer_;
  StateKeeper keeper_;
  bool has_told_scoring_ = false;
};

}  // namespace lipizz::worker
