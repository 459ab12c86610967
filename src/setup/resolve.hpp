#pragma once

#include "config/experiment.hpp"

namespace lipizz::setup {

/// The experiment with the model and the engine that `auto` stands for on this machine, and all
/// parameters of its operators, in their places. The model stays `auto` where only files can tell
/// what samples are (setup/samples.hpp). ConfigError when there is no such dataset or operator.
config::Experiment resolved(config::Experiment experiment);

}  // namespace lipizz::setup
