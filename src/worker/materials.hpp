#pragma once

#include <filesystem>
#include <memory>

#include "comm/comm_manager.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "nn/engine.hpp"
#include "telemetry/log.hpp"

namespace lipizz::worker {

/// What cells are trained and judged with.
struct Materials {
  std::shared_ptr<const data::Dataset> dataset;
  std::unique_ptr<metrics::Scorer> scorer;  // refers to the dataset
};

/// Opens the dataset, once for each host: its first active worker reads it, the others map that
/// memory. Then the first active worker of all prepares the judge (from `cache_dir` or by training
/// it) and everybody makes a scorer from it.
///
/// Collective over LOCAL, also for workers that fail: each throws its own error (DataError,
/// ConfigError) when all is over, and coev::Interrupted where only another one failed.
Materials open_materials(comm::CommManager& comm, const comm::Verdict& verdict,
                         const config::Experiment& experiment, const nn::Engine& engine,
                         const std::filesystem::path& cache_dir, const telemetry::Log& log);

/// $XDG_CACHE_HOME/lipizz or ~/.cache/lipizz; empty when the environment has neither.
std::filesystem::path cache_dir_of_environment();

}  // namespace lipizz::worker
