#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/messages.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/engine.hpp"
#include "nn/network/network.hpp"
#include "telemetry/log.hpp"

namespace lipizz::worker {

/// Cells are trained and scored with these.
struct SharedResources {
  /// Bytes that the judge of a dataset of labelled images takes as it came, but for a few.
  static std::size_t judge_bytes(const nn::NetworkSpec& classifier);

  std::shared_ptr<const data::Dataset> dataset;
  Bytes judge;
  std::unique_ptr<metrics::Scorer> scorer;  // refers to the dataset and the device
};

/// The workers that open their resources together, and how they hand them to each other.
struct PeerGroup {
  Rank self;
  std::vector<Rank> members;           // ascending, with self
  std::span<const std::string> hosts;  // by rank
  std::function<void(Rank, const comm::SharedResource&)> send;
  /// Waits for what another member sends; nothing when this worker has to do something else.
  std::function<std::optional<Bytes>(comm::SharedResource::Kind)> wait;
};

/// Opens the dataset, once for each host: its first member reads it, the others map that memory.
/// Meanwhile the first member of all prepares the judge (from the cache or by training it) for
/// everybody. A member keeps what it has in `resources` from an earlier assignment, and hands it on
/// where it is the first.
///
/// DataError, ConfigError (too few samples among them) of this member alone; coev::Interrupted when
/// a wait comes back empty.
void open_resources(std::optional<SharedResources>& resources, const PeerGroup& peers,
                    const config::Experiment& experiment, nn::Device& device,
                    const metrics::CacheFolders& cache, const telemetry::Log& log);

/// $LIPIZZ_CACHE_DIR, $XDG_CACHE_HOME/lipizz and ~/.cache/lipizz, as far as the environment has
/// them, and `.lipizz-cache` beside the run's folder.
metrics::CacheFolders cache_folders(const std::filesystem::path& output_dir);

}  // namespace lipizz::worker
