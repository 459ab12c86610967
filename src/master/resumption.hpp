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
  bool is_begun_again = false;   // something is saved that cannot be used: it has to go aside
  std::vector<std::string> notes;
};

/// The choice where a run has saved something, and nothing of it can be used.
enum class Unusable { kRefuse, kBeginAgain };

/// The absolute path of a run's folder. ConfigError when there is no such folder, or no config.json
/// in it.
std::filesystem::path existing_run_folder(const std::filesystem::path& folder);

/// Looks into a run's folder for the newest generation of which everything is there: every cell's
/// file, whole, and all lines of metrics. Changes nothing there. `experiment` is the resolved one
/// of the run. ConfigError as above, or when it is already beyond experiment.generations;
/// CheckpointError when its files belong to another configuration or numerics level, and, unless
/// `unusable` says otherwise, when generations are saved of which none can be used: it names what
/// is in the way, and says what to type.
Resumption find_resumption(const std::filesystem::path& folder,
                           const config::Experiment& experiment,
                           Unusable unusable = Unusable::kRefuse);

}  // namespace lipizz::master
