#pragma once

#include "config/experiment.hpp"

namespace lipizz::setup {

/// The experiment with the model and the engine that `auto` stands for on this machine in their
/// places. ConfigError when there is no such dataset.
config::Experiment resolved(config::Experiment experiment);

}  // namespace lipizz::setup
