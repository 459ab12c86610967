#pragma once

#include <cstdint>
#include <vector>

namespace lipizz::data {

/// Which of the samples in a file or folder are for training, and which for tests.
struct SampleParts {
  std::vector<std::uint32_t> order;  // places in the files: training samples first, then test
  std::uint32_t n_train = 0;
};

/// Keeps a share of n >= 2 samples for tests, one at least and not all: the same ones whatever is
/// in them, on every machine. Both parts are shuffled, so that the first of them are of all kinds
/// where files are sorted by class or time.
SampleParts with_test_share(std::uint32_t n, double share);

/// The same order of `indices` on every machine, so that the first of them are of all kinds.
void shuffle_samples(std::vector<std::uint32_t>& indices);

}  // namespace lipizz::data
