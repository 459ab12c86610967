#pragma once

#include "coev/settings.hpp"
#include "config/experiment.hpp"
#include "grid/schedule.hpp"
#include "grid/torus.hpp"

namespace lipizz::setup {

/// Translate an experiment that has passed validate() into the terms of those who carry it out.

grid::Torus torus_of(const config::Experiment& experiment);

/// A network's learning rate at the start, with a batch of that size.
double learning_rate_of(const config::Training& training, std::uint32_t batch_size);
grid::Schedule schedule_of(const config::Experiment& experiment);
/// ConfigError where what is offloaded cannot be put on this host.
void check_offload(const config::Experiment& experiment);
/// The model must be resolved.
coev::Settings settings_of(const config::Experiment& experiment);

}  // namespace lipizz::setup
