#pragma once

#include "config/experiment.hpp"

namespace lipizz::setup {

/// Throws ConfigError unless every name of the experiment is a registered one (naming the nearest)
/// and its settings fit together. The rules for each value by itself are in config/fields.cpp.
void check_settings(const config::Experiment& experiment);

/// The one of those rules about levels with bf16: they are for processors that compute in it, and
/// these have no others.
void check_numerics(const config::Compute& compute);

}  // namespace lipizz::setup
