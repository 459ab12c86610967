#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/held_folder.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "master/metrics_log.hpp"

namespace lipizz::master {

/// Notices that somebody renames, removes or empties the folder of the run that goes on, and brings
/// together in one place what a resume needs.
class FolderGuard {
 public:
  /// The folder is there. The references must outlive it.
  FolderGuard(const comm::RunPlan& run_plan, const config::Experiment& experiment,
              const MetricsLog& metrics);

  /// The loss of the folder in a few words, `the run's folder /runs/a was removed`; empty while all
  /// is in its place.
  [[nodiscard]] std::string loss() const;

  /// Where the run's files go now (checkpoint/held_folder.hpp).
  [[nodiscard]] std::filesystem::path present() const { return folder_.present(); }

  /// To be called once the cells are saved: CheckpointError that tells the loss, where the run lies
  /// and how to go on with it, after its configuration and its metrics are there too. Does nothing
  /// while the folder is in its place.
  void tell_loss() const;

 private:
  [[nodiscard]] std::string whereabouts() const;
  void complete(const std::filesystem::path& place) const;

  const comm::RunPlan& run_plan_;
  const config::Experiment& experiment_;
  const MetricsLog& metrics_;
  checkpoint::HeldFolder folder_;
};

}  // namespace lipizz::master
