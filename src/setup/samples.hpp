#pragma once

#include <optional>

#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "nn/network/models.hpp"

namespace lipizz::setup {

/// The samples that the experiment learns from: those of its dataset, or for files of one's own
/// those that `data.shape` names. Nothing where that is empty: the files have to tell.
/// ConfigError when the shape cannot be read.
std::optional<data::SampleForm> form_of(const config::Experiment& experiment);

/// How the experiment's dataset is opened. Nothing is kept, and nobody told.
data::OpenOptions open_options(const config::Experiment& experiment);

/// The experiment with the form of its samples. Looks at the files, with the errors of
/// data::describe_dataset(), only where form_of() has nothing. Log and cache are of `options`.
config::Experiment with_form(config::Experiment experiment, const data::OpenOptions& options);

/// DataError where a dataset is of another form than the experiment says.
void expect_form(const config::Experiment& experiment, const data::Dataset& dataset);

/// The samples that models are made for; they know of classes where the experiment is conditional.
nn::ModelSamples model_samples(const config::Experiment& experiment, const data::SampleForm& form);

/// The name of the model for such samples where the dataset has none of its own: `pix2pix` of
/// pairs, `dcgan` of images that it can be made for, else `mlp`.
std::string fitting_model(const config::Experiment& experiment, const data::SampleForm& form);

}  // namespace lipizz::setup
