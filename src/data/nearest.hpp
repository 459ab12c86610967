#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"

namespace lipizz::data {

/// A training sample near another sample.
struct Neighbour {
  std::uint32_t index = 0;  // among the training samples that a run may use
  double distance = 0;
  bool operator==(const Neighbour&) const = default;
};

/// The training samples nearest to each of these: what tells samples that are new from samples that
/// are copies of what was learnt. Distances are Euclidean, of images between pixels of 0 to 255, as
/// files hold them; of pairs between what is made for the condition alone. The search is
/// exhaustive, and exact for images, whose squared distances are whole numbers.
///
/// samples: [n, shape().size()]. Returns [n, k], the nearest first, ties by index; a point that is
/// not finite is infinitely far from all. k: 1 to dataset.n_train(). Reads the dataset in pieces,
/// once for each call, so that memory stays a few megabytes.
std::vector<Neighbour> nearest_training_samples(const Dataset& dataset,
                                                std::span<const float> samples, std::uint32_t k);

}  // namespace lipizz::data
