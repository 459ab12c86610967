#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "core/ids.hpp"

namespace lipizz::master {

/// A run that was ended goes on from here.
struct Resumption {
  std::filesystem::path folder;  // absolute
  Generation start = 0;          // 0: from the seed
  bool is_finished = false;      // it has nothing left to do
  std::vector<std::string> notes;
};

/// The absolute path of a run's folder. ConfigError when there is no such folder, or no config.json
/// in it.
std::filesystem::path existing_run_folder(const std::filesystem::path& folder);

/// Looks into a run's folder for the newest generation of which everything is there: every cell's
/// file, whole, and all lines of metrics. `experiment` is the resolved one of the run. ConfigError
/// as above, or when it is already beyond experiment.generations; CheckpointError
/// when its files belong to another configuration or numerics level.
Resumption find_resumption(const std::filesystem::path& folder,
                           const config::Experiment& experiment);

}  // namespace lipizz::master
