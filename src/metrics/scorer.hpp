#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "data/cache.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::metrics {

/// Expected values of fixed functions over a set of samples (means, second moments, shares of modes
/// or classes). The statistics of a mixture are the weighted sum of those of its generators, so a
/// mixture is scored in closed form, without sampling it.
struct Statistics {
  std::vector<double> values;
  double n_samples = 0;  // that they were taken over
};

/// weights: non-negative, sum 1; all statistics of one length. Its number of samples is the
/// weighted mean: of equally many samples of each generator, that number.
Statistics mix(std::span<const double> weights, std::span<const Statistics> statistics);

/// Those of a set of samples that was cut into parts, one at least.
Statistics pool(std::span<const Statistics> parts);

/// How good a set of samples is. `value` is what decides; lower is better. It is NaN, and so are
/// the details, when any sample was not finite.
struct Score {
  double value;
  struct Detail {
    std::string name;
    double value;
  };
  std::vector<Detail> details;       // secondary figures: modes, within_3_sigma, tvd ...
  std::vector<double> class_shares;  // per predicted class or mode; sums to 1 or less
};

/// Test samples that Scorer::held_out_score() compares with at most: more would change little.
inline constexpr std::uint32_t kMostHeldOut = 10'000;

/// Scores generated samples against a dataset. Its device's thread uses a scorer; dataset and
/// device must outlive it.
class Scorer {
 public:
  virtual ~Scorer() = default;
  /// The metric's registered name.
  [[nodiscard]] virtual std::string_view metric() const = 0;
  /// Values per sample that statistics are taken over.
  [[nodiscard]] virtual std::uint32_t n_features() const = 0;
  /// samples: [n, sample size]; out: [n, n_features].
  virtual void features(std::span<const float> samples, std::span<float> out) = 0;
  /// features: [n, n_features], n >= 1; sums in double in row order.
  [[nodiscard]] virtual Statistics statistics(std::span<const float> features) const = 0;
  /// Against all training samples.
  [[nodiscard]] virtual Score score(const Statistics& statistics) const = 0;
  /// Against the first kMostHeldOut test samples, or all, on which nothing trains: for who selects
  /// by scores, so that score() stays that of samples that nobody was selected by. They are read in
  /// the first call. Metrics that know the distribution itself give score().
  [[nodiscard]] virtual Score held_out_score(const Statistics& statistics) = 0;
  /// Features of the first n test samples, or of all where there are fewer: [n, n_features].
  [[nodiscard]] virtual std::vector<float> test_features(std::uint32_t n_samples) = 0;
  /// Identifies the judge: scores with different hashes must not be compared.
  [[nodiscard]] virtual std::uint64_t judge_hash() const = 0;

  /// How many of a row's features, the first ones, are values to compare samples by; what follows
  /// is the index of a class.
  [[nodiscard]] virtual std::uint32_t n_compared() const { return n_features(); }
  /// The shares of the classes in all training samples; empty where classes are not told.
  [[nodiscard]] virtual std::span<const double> real_class_shares() const { return {}; }
  /// features: [n, n_features]; returns [n, classes]: Features::class_probabilities().
  [[nodiscard]] virtual std::vector<float> class_probabilities(
      std::span<const float> /*features*/) const {
    return {};
  }

  /// Real against real: the score of the samples of test_features().
  struct Floor {
    double value;
    std::uint32_t n_samples;
  };
  [[nodiscard]] Floor floor(std::uint32_t n_samples);
};

/// The columns of features, [n, n_features], that samples are compared by: [n, n_compared].
std::vector<float> compared_columns(const Scorer& scorer, std::span<const float> features);

using data::CacheFolders;
using data::Log;

/// Called often while a judge is trained, with the share that is done, from 0 to 1. An exception
/// that it throws ends the training, and the caller gets it.
using Progress = std::function<void(double share)>;

/// A metric that some samples can be scored with.
struct MetricEntry {
  std::string_view name;
  std::string_view summary;
  bool (*fits)(const data::SampleForm& form);
  /// True of a metric that learns: its judge is a classifier of the dataset (judge.hpp).
  bool has_judge = false;
  /// The bytes of the judge, the scorer's learned part, the same on every machine: the classifier's
  /// weights and the real features' statistics. Empty for metrics that learn nothing. They
  /// come with the program (shipped_judges()), from the cache, or are learned on the calling thread
  /// (half a minute and more) and stored there, as cached() says. One worker of a run does so and
  /// hands them to the others.
  Bytes (*prepare_judge)(const data::Dataset& dataset, const CacheFolders& cache, const Log& log,
                         const Progress& progress);
  /// CommError when the bytes are damaged or not of this dataset.
  std::unique_ptr<Scorer> (*make_scorer)(const data::Dataset& dataset,
                                         std::span<const std::byte> judge, nn::Device& device);
};

/// Every metric there is.
std::span<const MetricEntry> metrics();

/// The metric called `name`, or the first that fits when it is `auto`. ConfigError naming the
/// nearest when there is none of that name, or saying which fits when it is for other samples.
const MetricEntry& find_metric(std::string_view name, const data::SampleForm& form);

}  // namespace lipizz::metrics
