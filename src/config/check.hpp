#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/experiment.hpp"

namespace lipizz::config {

/// The registered names by kind, as `lipizz list KIND` prints them: datasets, devices, engines,
/// losses, metrics, models, neighbourhoods, optimizers. Whoever links the registries fills it.
using Names = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What checkpoint.every says; both 0: off.
struct CheckpointInterval {
  double seconds = 0;
  std::uint32_t generations = 0;
};
/// `60s`, `0.5s`, `5` or `off`; ConfigError on anything else.
CheckpointInterval checkpoint_interval(const Checkpoint& checkpoint);

/// Whether cells go on without waiting for their neighbours; what else the setting may say, check()
/// refuses.
bool is_asynchronous(const Experiment& experiment);

/// Throws ConfigError unless every name is a known one and the settings fit together.
void check(const Experiment& experiment, const Names& names);

}  // namespace lipizz::config
