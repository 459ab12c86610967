#pragma once

#include "config/experiment.hpp"
#include "nn/network/models.hpp"

namespace lipizz::setup {

/// The pair of networks that a resolved configuration means. One that is written out is looked at
/// as a whole: ConfigError naming the place (`model.generator.layers[3].kernel: ...`) when a field
/// or its value makes no sense, a layer does not suit its inputs, or the two do not fit together.
nn::GanSpec model_of(const config::Model& model, std::uint32_t n_classes = 0);
/// The same for samples of as many classes as the dataset has, where it is to know of them.
nn::GanSpec model_of(const config::Experiment& experiment);

}  // namespace lipizz::setup
