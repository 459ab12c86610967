#pragma once

#include "config/experiment.hpp"

namespace lipizz::setup {

/// Throws ConfigError unless every name of the experiment is a registered one (naming the nearest)
/// and its settings fit together. What each value must be by itself, config/fields.cpp says.
void check_settings(const config::Experiment& experiment);

}  // namespace lipizz::setup
