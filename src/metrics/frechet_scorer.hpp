#pragma once

#include <memory>

#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// Metrics that are FrechetDistance between the Gaussians of features, of the samples and of all
/// real training samples. Where the features tell classes, the details are `tvd`, the total
/// variation distance of the shares of the predicted classes to those of the training samples (for
/// a perfect generator at 10,000 samples of 10 classes, 0.01).

/// The metric `frechet`: on the features of a classifier (judge_features()), where FID (Heusel
/// et al. 2017) has those of Inception. `judge` is what prepare_image_judge() gave; errors as
/// MetricEntry::make_scorer.
std::unique_ptr<Scorer> make_frechet_scorer(const data::Dataset& dataset,
                                            std::span<const std::byte> judge, nn::Device& device);

/// The metric `blocks`: on the means of blocks (BlockMeans). There is nothing to learn and nothing
/// to hand out: real samples are read here. It sees colours and where they lie, and nothing finer
/// than a block: blurred samples score like sharp ones.
std::unique_ptr<Scorer> make_blocks_scorer(const data::Dataset& dataset);

/// The metric `fourier`: on FourierFeatures of points. There is nothing to learn here either.
std::unique_ptr<Scorer> make_fourier_scorer(const data::Dataset& dataset);

}  // namespace lipizz::metrics
