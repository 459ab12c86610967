#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/bytes.hpp"
#include "data/dataset.hpp"
#include "metrics/features.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/buffer.hpp"

namespace lipizz::metrics {

/// Scores of images are taken against a classifier trained on the dataset, and against the
/// statistics of its features of all training samples. Both are made with the reference backend, so
/// that it has the same bits everywhere.
struct Judge {
  nn::Buffer<float> parameters;  // of classifier_network(), [n_padded]
  Statistics real;               // as FeatureSums makes them, over all training samples
  double test_accuracy = 0;      // share of test samples that the classifier gets right
};

/// The features that a judge's parameters give images of this dataset: ClassifierFeatures, or
/// ChannelFeatures where each channel has classes of its own.
std::unique_ptr<Features> judge_features(nn::Device& device, const data::Dataset& dataset,
                                         nn::Buffer<float> parameters);

/// Trains the classifier (see train_classifier() for how long). The dataset has labels, the thread
/// is prepared for computing.
Judge train_judge(const data::Dataset& dataset, const Progress& progress);

/// Version, dataset, judge and a hash of it all.
Bytes pack_judge(const Judge& judge, const data::Dataset& dataset);

/// CommError when the bytes are damaged, of another version or of another dataset.
Judge unpack_judge(std::span<const std::byte> bytes, const data::Dataset& dataset);

/// The hash that such bytes end with.
std::uint64_t judge_hash(std::span<const std::byte> bytes);

/// The one of shipped_judges() that is of these data; empty: none is.
Bytes shipped_judge(const data::Dataset& dataset);

/// The bytes of `dataset`'s judge: the shipped one, else from the cache, or trained and stored
/// there. As MetricEntry::prepare_judge says.
Bytes prepare_image_judge(const data::Dataset& dataset, const CacheFolders& cache, const Log& log,
                          const Progress& progress);

}  // namespace lipizz::metrics
