#pragma once

#include "config/experiment.hpp"
#include "nn/network/models.hpp"

namespace lipizz::setup {

/// The pair of networks that a resolved configuration means. One that is written out is looked at
/// as a whole: ConfigError naming the place (`model.generator.layers[3].kernel: ...`) when a field
/// or its value makes no sense, a layer does not suit its inputs, or the two do not fit together.
nn::GanSpec model_of(const config::Model& model, const nn::ModelSamples& samples = {});
/// The same for the samples of the experiment, which are known; a model that is made for its own
/// alone is made for these, whatever the experiment's are.
nn::GanSpec model_of(const config::Experiment& experiment);

/// The most stages of a pipeline in which every stage of a network has a layer of it. One that is
/// cut into no more than it has layers sets no limit.
std::size_t most_stages(const config::Experiment& experiment, const nn::GanSpec& model);

}  // namespace lipizz::setup
