#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "metrics/figure.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// Samples to be scored, which are read in pieces.
struct SampleSource {
  std::uint32_t n;
  /// Fills `out`, [rows, sample size] in the dataset's scale, with the samples from `first` on.
  std::function<void(std::uint32_t first, std::span<float> out)> read;
};

/// The figures that all scores give a set of samples.
struct Evaluation {
  std::uint32_t n_samples;
  std::uint32_t n_floor_samples;  // fewer where the test part has no more
  std::vector<Figure> figures;    // the metric's own score first
};

/// Scores samples against a dataset's training samples by the scorer's metric and by every other
/// score that its features allow:
/// - the metric's score and its details, compared with all training samples as while training;
/// - where features tell classes: inception (inception_score()) and js (jensen_shannon()) of the
///   classes' shares; of kManyClasses or more also modes, how many classes there are, and kl, to
///   the training samples' shares;
/// - kernel, precision, recall, density, coverage (score_neighbourhoods()) against as many
///   training samples, the first ones;
/// - of pairs of images: l1, psnr and ssim of what was made against what belongs to the condition,
///   each in the mean over samples. Sample i has the condition of test sample i.
///
/// The metric's, its details' and the classes' errors are by the jackknife over ten blocks, those
/// of pairs by the mean of samples. A figure's floor is the same of the first n test samples (of
/// pairs, whose targets these are, the last three have none).
///
/// Takes features of 3 n samples, and n of 64 or so values stay in memory. At least two samples;
/// the same bits for the same samples.
inline constexpr std::uint32_t kManyClasses = 100;
Evaluation evaluate(const data::Dataset& dataset, Scorer& scorer, const SampleSource& samples);

}  // namespace lipizz::metrics
