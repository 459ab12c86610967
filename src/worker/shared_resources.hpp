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
#include "telemetry/log.hpp"

namespace lipizz::worker {

/// What cells are trained and judged with.
struct SharedResources {
  std::shared_ptr<const data::Dataset> dataset;
  Bytes judge;
  std::unique_ptr<metrics::Scorer> scorer;  // refers to the dataset and the device
};

/// The workers that open their materials together, and how they hand them to each other.
struct PeerGroup {
  Rank self;
  std::vector<Rank> members;           // ascending, with self
  std::span<const std::string> hosts;  // by rank
  std::function<void(Rank, const comm::SharedResource&)> send;
  /// Waits for what another member sends; nothing when this worker has to do something else.
  std::function<std::optional<Bytes>(comm::SharedResource::Kind)> wait;
};

/// Opens the dataset, once for each host: its first member reads it, the others map that memory.
/// Meanwhile the first member of all prepares the judge (from `cache_dir` or by training it) for
/// everybody. What a member has of an earlier time is in `materials`: it keeps that, and hands it
/// on where it is its turn.
///
/// DataError, ConfigError of this member alone; coev::Interrupted when a wait comes back empty.
void open_resources(std::optional<SharedResources>& resources, const PeerGroup& circle,
                    const config::Experiment& experiment, nn::Device& device,
                    const std::filesystem::path& cache_dir, const telemetry::Log& log);

/// $XDG_CACHE_HOME/lipizz or ~/.cache/lipizz; empty when the environment has neither.
std::filesystem::path cache_dir_of_environment();

}  // namespace lipizz::worker
