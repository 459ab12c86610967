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

}  // namespace lipizz::setup
