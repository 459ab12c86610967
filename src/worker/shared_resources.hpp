#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "comm/messages.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "metrics/deferred_scorer.hpp"
#include "nn/base/engine.hpp"
#include "nn/network/network.hpp"
#include "telemetry/log.hpp"
#include "worker/judge_preparation.hpp"

namespace lipizz::worker {

/// Cells are trained and scored with these.
struct SharedResources {
  /// Bytes that the judge of a dataset of labelled images takes as it came, but for a few.
  static std::size_t judge_bytes(const nn::NetworkSpec& classifier);

  /// The identity of a run with these, to which cells' files are held. Waits for the judge.
  [[nodiscard]] checkpoint::Lineage lineage(const config::Experiment& experiment,
                                            const std::string& numerics) const;

  std::shared_ptr<const data::Dataset> dataset;
  /// Refers to the dataset and the device. Whoever needs it first waits for the judge, and gets
  /// coev::Interrupted when the wait comes back empty.
  std::unique_ptr<metrics::DeferredScorer> scorer;
  std::shared_ptr<Bytes> judge;                   // as it came; empty until the scorer is made
  std::unique_ptr<JudgePreparation> preparation;  // on the first member
};

/// The workers that open their resources together, and how they hand them to each other.
struct PeerGroup {
  Rank self;
  std::vector<Rank> members;           // ascending, with self
  std::span<const std::string> hosts;  // by rank
  /// Any thread; also to itself.
  std::function<void(Rank, const comm::SharedResource&)> send;
  /// Waits for what another member sends; nothing when this worker has to do something else.
  std::function<std::optional<Bytes>(comm::SharedResource::Kind)> wait;
  /// An error of this member ends the run. Any thread.
  std::function<void(const std::exception_ptr&)> fail;
};

/// Opens the dataset, once for each host: its first member reads it, the others map that memory.
/// The first member of all then prepares the judge (from the cache or by training it) for
/// everybody, on a thread of its own and beside the cells' training. A member keeps what it has in
/// `resources` from an earlier assignment, and hands it on where it is the first.
///
/// DataError, ConfigError (too few samples among them) of this member alone; coev::Interrupted when
/// a wait comes back empty. `peers` and `log` must outlive the resources.
void open_resources(std::optional<SharedResources>& resources, const PeerGroup& peers,
                    const config::Experiment& experiment, nn::Device& device,
                    const metrics::CacheFolders& cache, const telemetry::Log& log);

/// $LIPIZZ_CACHE_DIR, $XDG_CACHE_HOME/lipizz and ~/.cache/lipizz, as far as the environment has
/// them, and `.lipizz-cache` beside the run's folder.
metrics::CacheFolders cache_folders(const std::filesystem::path& output_dir);

}  // namespace lipizz::worker
