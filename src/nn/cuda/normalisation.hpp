#pragma once

#include <cmath>

#include "nn/cuda/scaling.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// x as [groups, n_rows, n] with the statistics [groups, 2, n] of its groups, or of all.
struct Normed {
  Normed(const Shape& x, const Shape& of_statistics, float epsilon_)
      : parts(x, of_statistics[0]), epsilon(epsilon_) {}

  /// Of an element: where its mean stands; its variance and second sum stand `parts.n` behind.
  [[nodiscard]] constexpr std::size_t mean(std::size_t i) const {
    return parts.part(i) * 2 * parts.n + i % parts.n;
  }

  /// 1 / standard deviation, given where an element's mean stands.
  [[nodiscard]] constexpr float rate(const float* statistics) const {
    return 1 / std::sqrt(statistics[parts.n] + epsilon);
  }

  Parts parts;
  float epsilon;
};

template <class Work>
void statistics(Work& work) {
  const Parts parts(work.shape(0), work.attributes().groups);
  const auto n_rows = static_cast<double>(parts.n_rows);
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[parts.at(part, row, c)]);
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[2 * part * parts.n + c] = static_cast<float>(sum / n_rows);
      });
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        const double distance = static_cast<double>(o.in(0)[parts.at(part, row, c)]) -
                                static_cast<double>(o.out()[2 * part * parts.n + c]);
        return distance * distance;
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[(2 * part + 1) * parts.n + c] = static_cast<float>(sum / n_rows);
      });
}

template <class Work>
void normalise(Work& work) {
  const Normed x(work.shape(0), work.shape(1), work.attributes().number);
  const Activation kind = work.attributes().activation;
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = i % x.parts.n;
    const float* statistics = o.in(1) + x.mean(i);
    const float rate = x.rate(statistics);
    o.out()[i] = activate(kind, (o.in(0)[i] - statistics[0]) * rate * o.in(2)[c] + o.in(3)[c]);
  });
}

template <class Work>
void normalise_sums(Work& work) {
  const Normed x(work.shape(1), work.shape(2), work.attributes().number);
  const Parts parts(work.shape(1), work.attributes().groups);
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        const std::size_t i = parts.at(part, row, c);
        const float* statistics = o.in(2) + x.mean(i);
        const float rate = x.rate(statistics);
        return static_cast<double>(o.in(0)[i] * (o.in(1)[i] - statistics[0]) * rate);
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[2 * part * parts.n + c] = static_cast<float>(sum);
      });
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[parts.at(part, row, c)]);
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[(2 * part + 1) * parts.n + c] = static_cast<float>(sum);
      });
}

template <class Work>
void normalise_gradient(Work& work) {
  const Normed x(work.shape(1), work.shape(2), work.attributes().number);
  work.each(work.size(), [x] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = i % x.parts.n;
    const std::size_t second = x.parts.n;
    const float* statistics = o.in(2) + x.mean(i);
    const float* sums = o.in(4) + x.mean(i);
    const auto n = static_cast<float>(x.parts.n_rows);
    const float rate = x.rate(statistics);
    const float normalised = (o.in(1)[i] - statistics[0]) * rate;
    o.out()[i] = o.in(3)[c] * rate * (o.in(0)[i] - sums[second] / n - normalised * sums[0] / n);
  });
}

/// As nn/cpu/scaling.cpp says.
template <class Work>
void normalise_curvature(Work& work) {
  const Normed x(work.shape(2), work.shape(3), work.attributes().number);
  work.each(work.size(), [x] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = i % x.parts.n;
    const std::size_t mean = x.mean(i);
    const std::size_t second = mean + x.parts.n;
    const auto n = static_cast<float>(x.parts.n_rows);
    const float r = x.rate(o.in(3) + mean);
    const float normalised = (o.in(2)[i] - o.in(3)[mean]) * r;
    const float a = o.in(5)[mean];
    const float b = o.in(6)[mean];
    const float sum_h = o.in(5)[second];
    const float sum_dz = o.in(6)[second];
    const float of_both = o.in(7)[x.parts.factor(i)] - sum_h * sum_dz / n - a * b / n;
    const float centred = (o.in(0)[i] - sum_h / n) * b + (o.in(1)[i] - sum_dz / n) * a;
    const float along = normalised * (2 * a * b / n);
    o.out()[i] = -o.in(4)[c] * r * r / n * (centred - along + of_both * normalised);
  });
}

template <class Work>
void update_running(Work& work) {
  const std::size_t n_groups = work.shape(1)[0];
  const std::size_t n = work.shape(1)[2];
  const auto rows = static_cast<float>(work.attributes().shape.front());
  const float momentum = work.attributes().number;
  const float unbiased = rows > 1 ? rows / (rows - 1) : 1.0f;
  work.each(n, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t c) {
    float* running = o.in(0);
    for (std::size_t g = 0; g < n_groups; ++g) {
      const float* statistics = o.in(1) + 2 * g * n;
      running[c] += momentum * (statistics[c] - running[c]);
      running[n + c] += momentum * (statistics[n + c] * unbiased - running[n + c]);
    }
  });
}

}  // namespace lipizz::nn::cuda
