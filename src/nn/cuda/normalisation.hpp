#pragma once

#include <cmath>

#include "nn/cuda/broadcasting.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// x as [groups, n_rows, n] with the statistics [groups, 2, n] of its groups, or of all.
struct Normed {
  Normed(const Shape& x, const Shape& of_statistics, float epsilon_)
      : groups(x, of_statistics[0]),
        per_row(1 / static_cast<float>(groups.n_rows)),
        epsilon(epsilon_) {}

  /// The index of the mean of element i; its variance and second sum stand `groups.n` behind.
  [[nodiscard]] constexpr std::size_t mean(std::size_t i) const {
    return groups.group(i) * 2 * groups.n + groups.column(i);
  }

  /// 1 / standard deviation, given where an element's mean stands.
  [[nodiscard]] constexpr float rate(const float* statistics) const {
    return 1 / std::sqrt(statistics[groups.n] + epsilon);
  }

  Groups groups;
  float per_row;  // 1 / rows of a group
  float epsilon;
};

template <class Work>
void statistics(Work& work) {
  const Groups groups(work.shape(0), work.attributes().groups);
  const auto n_rows = static_cast<double>(groups.n_rows);
  // Distances from the first row are summed up, so that a large mean leaves a small variance its
  // digits.
  work.template column_sums<TwoSums>(
      groups.n_groups, groups.n_rows, groups.n,
      [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t row, std::size_t c) {
        const double distance = static_cast<double>(o.in(0)[groups.at(group, row, c)]) -
                                static_cast<double>(o.in(0)[groups.at(group, 0, c)]);
        return TwoSums{distance, distance * distance};
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t c, const TwoSums& sums) {
        const double mean = sums.first / n_rows;
        const double variance = sums.second / n_rows - mean * mean;
        const auto first = static_cast<double>(o.in(0)[groups.at(group, 0, c)]);
        o.out()[2 * group * groups.n + c] = static_cast<float>(first + mean);
        o.out()[(2 * group + 1) * groups.n + c] = static_cast<float>(variance < 0 ? 0 : variance);
      });
}

template <class Work>
void pool_statistics(Work& work) {
  const Shape& shape = work.shape(0);
  const std::uint32_t n_rows = work.attributes().shape[0];
  const std::uint32_t n_parts = shape[0];
  const std::size_t n = shape[3];
  const std::size_t of_part = shape[1] * 2 * n;
  work.each(shape[1] * n, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t at = i / n * 2 * n + i % n;
    double mean = 0;
    for (std::uint32_t part = 0; part < n_parts; ++part) {
      mean +=
          share_of_part(n_rows, n_parts, part) * static_cast<double>(o.in(0)[part * of_part + at]);
    }
    double variance = 0;
    for (std::uint32_t part = 0; part < n_parts; ++part) {
      const float* const its = o.in(0) + part * of_part + at;
      const double distance = static_cast<double>(its[0]) - mean;
      variance += share_of_part(n_rows, n_parts, part) *
                  (static_cast<double>(its[n]) + distance * distance);
    }
    o.out()[at] = static_cast<float>(mean);
    o.out()[at + n] = static_cast<float>(variance);
  });
}

template <class Work>
void normalise(Work& work) {
  const Normed x(work.shape(0), work.shape(1), work.attributes().number);
  const Activation kind = work.attributes().activation;
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = x.groups.column(i);
    const float* statistics = o.in(1) + x.mean(i);
    const float rate = x.rate(statistics);
    o.out()[i] = activate(kind, (o.in(0)[i] - statistics[0]) * rate * o.in(2)[c] + o.in(3)[c]);
  });
}

template <class Work>
void normalise_sums(Work& work) {
  const Normed x(work.shape(1), work.shape(2), work.attributes().number);
  const Groups groups(work.shape(1), work.attributes().groups);
  work.template column_sums<TwoSums>(
      groups.n_groups, groups.n_rows, groups.n,
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t row, std::size_t c) {
        const std::size_t i = groups.at(group, row, c);
        const float dy = o.in(0)[i];
        return TwoSums{static_cast<double>(dy * (o.in(1)[i] - o.in(2)[x.mean(i)])),
                       static_cast<double>(dy)};
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t c, const TwoSums& sums) {
        const double rate = static_cast<double>(x.rate(o.in(2) + x.mean(groups.at(group, 0, c))));
        o.out()[2 * group * groups.n + c] = static_cast<float>(sums.first * rate);
        o.out()[(2 * group + 1) * groups.n + c] = static_cast<float>(sums.second);
      });
}

template <class Work>
void normalise_gradient(Work& work) {
  const Normed x(work.shape(1), work.shape(2), work.attributes().number);
  work.each(work.size(), [x] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = x.groups.column(i);
    const std::size_t second = x.groups.n;
    const float* statistics = o.in(2) + x.mean(i);
    const float* sums = o.in(4) + x.mean(i);
    const float rate = x.rate(statistics);
    const float normalised = (o.in(1)[i] - statistics[0]) * rate;
    const float shift = (sums[second] + normalised * sums[0]) * x.per_row;
    o.out()[i] = o.in(3)[c] * rate * (o.in(0)[i] - shift);
  });
}

/// The formula of the reference (nn/graph/operations/normalisation.cpp), its terms gathered.
template <class Work>
void normalise_second_derivative(Work& work) {
  const Normed x(work.shape(2), work.shape(3), work.attributes().number);
  work.each(work.size(), [x] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = x.groups.column(i);
    const std::size_t mean = x.mean(i);
    const std::size_t second = mean + x.groups.n;
    const auto n = static_cast<float>(x.groups.n_rows);
    const float r = x.rate(o.in(3) + mean);
    const float normalised = (o.in(2)[i] - o.in(3)[mean]) * r;
    const float a = o.in(5)[mean];
    const float b = o.in(6)[mean];
    const float sum_h = o.in(5)[second];
    const float sum_dz = o.in(6)[second];
    const float of_both = o.in(7)[x.groups.factor(i)] - sum_h * sum_dz / n - a * b / n;
    const float centred = (o.in(0)[i] - sum_h / n) * b + (o.in(1)[i] - sum_dz / n) * a;
    const float along = normalised * (2 * a * b / n);
    o.out()[i] = -o.in(4)[c] * r * r / n * (centred - along + of_both * normalised);
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto normalisation_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kStatistics, statistics},
      {&kPoolStatistics, pool_statistics},
      {&kNormalise, normalise},
      {&kNormaliseSums, normalise_sums},
      {&kNormaliseGradient, normalise_gradient},
      {&kNormaliseSecondDerivative, normalise_second_derivative},
  });
}

}  // namespace lipizz::nn::cuda
