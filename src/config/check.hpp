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

/// Throws ConfigError unless every name is a known one and the settings fit together.
void check(const Experiment& experiment, const Names& names);

}  // namespace lipizz::config
