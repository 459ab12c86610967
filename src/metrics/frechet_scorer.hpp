#pragma once

#include <memory>

#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// The metric `frechet`: FrechetDistance between the Gaussians of the classifier's 64 features, of
/// the samples and of all real training samples. Features per sample: the 64, then the predicted
/// class. Details: `tvd`, the total variation distance of the shares of the predicted classes to
/// those of the training samples (for a perfect generator at 10,000 samples of 10 classes, 0.01).
///
/// `judge` is what prepare_image_judge() gave; errors as make_scorer().
std::unique_ptr<Scorer> make_frechet_scorer(const data::Dataset& dataset,
                                            std::span<const std::byte> judge,
                                            const nn::Engine& engine);

}  // namespace lipizz::metrics
