#pragma once

#include <cstdint>

#include "config/experiment.hpp"

namespace lipizz::setup {

/// The rules for experiments. Each stands once: for single values in config/fields.cpp, for
/// settings among themselves in setup/setting_rules.hpp and setup/operators.hpp, for networks that
/// are written out in setup/model.hpp, for what ranks must have in common in setup/agreement, and
/// the rest here. Whatever comes after set-up relies on them.

/// Throws ConfigError unless the experiment can be trained, as far as that can be told without its
/// data and other ranks: check_settings(), metric and model fit the dataset, the engine has a use
/// for what it is given, and a training step can be made.
void validate(const config::Experiment& experiment);

/// The rule for which the data must be looked at: ConfigError unless they fill a batch.
void check_samples(const config::Experiment& experiment, std::uint32_t n_train);

}  // namespace lipizz::setup
