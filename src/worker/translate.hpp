#pragma once

#include "coev/settings.hpp"
#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "grid/schedule.hpp"
#include "grid/torus.hpp"
#include "nn/base/engine.hpp"
#include "nn/graph/convolution_table.hpp"

namespace lipizz::worker {

/// What the experiment says, in the terms of those who do it. Every name is looked up in its
/// registry: ConfigError naming the nearest when there is none.

grid::Torus torus_of(const config::Experiment& experiment);
grid::Schedule schedule_of(const config::Experiment& experiment);
coev::Settings settings_of(const config::Experiment& experiment);

/// The model and engine that `auto` stands for on this machine, in their places.
/// ConfigError when the build lacks what is asked for.
config::Experiment resolved(config::Experiment experiment);

/// The engine of a resolved experiment at an agreed numerics level; the table must outlive it.
nn::Engine engine_of(const config::Experiment& experiment, std::string_view numerics,
                     const nn::ConvolutionTable& convolutions);

/// The experiment's table of convolutions: its file's, or this build's. ConfigError when the file
/// is none, or the table has another hash than the experiment asks for.
nn::ConvolutionTable convolutions_of(const config::Experiment& experiment);

/// The levels that the experiment's engine offers on this machine, lowest first.
std::vector<std::string> numerics_levels(const config::Experiment& experiment);

}  // namespace lipizz::worker
