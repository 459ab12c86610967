#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "metrics/feature_rows.hpp"

namespace lipizz::metrics {

/// Distances of the shares of classes. Shares are not negative; those of one side sum to 1, or less
/// where samples belong to no class. Logarithms are natural.

/// Half the sum of |p - q|: from 0 to 1.
double total_variation(std::span<const double> p, std::span<const double> q);

/// Jensen-Shannon divergence, the mean of KL(p || m) and KL(q || m) with m = (p + q) / 2: from 0 to
/// log 2.
double jensen_shannon(std::span<const double> p, std::span<const double> q);

/// KL(p || q), the sum of p log(p / q) where p > 0: infinite where q is 0 there. With uniform q it
/// is the score for the 1,000 classes of Stacked-MNIST (PacGAN, Lin et al. 2018), at most log 1000
/// = 6.908; a perfect generator of C classes has about (C - 1) / (2 n) with n samples.
double kullback_leibler(std::span<const double> p, std::span<const double> q);
double kullback_leibler_to_uniform(std::span<const double> p);

/// How many classes have a share.
std::size_t n_present(std::span<const double> shares);

/// Inception score exp(mean over rows of KL(p(y|x) || mean p(y|x))) (Salimans et al. 2016), from 1
/// to the number of classes, over all rows at once rather than as a mean of ten parts, and its
/// error by the jackknife over ten blocks. probabilities: a row for each sample, which sums to 1;
/// one row at least. NaN where one is not finite.
Estimate inception_score(const FeatureRows& probabilities);

/// Class probabilities from logits in place: each row's softmax.
void softmax_rows(std::span<float> logits, std::size_t n_classes);

}  // namespace lipizz::metrics
