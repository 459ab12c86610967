#pragma once

#include <cstddef>
#include <type_traits>

#include "core/math.hpp"
#include "nn/base/penalty_table.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

constexpr float log_sum_exp(const float* row, std::size_t n) {
  float highest = row[0];
  for (std::size_t i = 1; i < n; ++i) highest = row[i] > highest ? row[i] : highest;
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += math::exp(row[i] - highest);
  return highest + math::log(sum);
}

template <class Work>
void cross_entropy(Work& work) {
  const std::size_t n = work.shape(0)[1];
  const auto n_rows = static_cast<double>(work.shape(0)[0]);
  work.sums(
      1, work.shape(0)[0],
      [n] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const float* row = o.in(0) + i * n;
        const float here = row[static_cast<std::size_t>(o.in(1)[i])];
        return static_cast<double>(log_sum_exp(row, n) - here);
      },
      [n_rows] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = static_cast<float>(sum / n_rows);
      });
}

template <class Work>
void cross_entropy_gradient(Work& work) {
  const std::size_t n = work.shape(0)[1];
  const auto n_rows = static_cast<float>(work.shape(0)[0]);
  work.each(work.shape(0)[0], [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float* row = o.in(0) + i * n;
    const float log_sum = log_sum_exp(row, n);
    const auto label = static_cast<std::size_t>(o.in(1)[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const float target = j == label ? 1.0f : 0.0f;
      o.out()[i * n + j] = (math::exp(row[j] - log_sum) - target) / n_rows;
    }
  });
}

/// Calls `use` with the row of the penalty that the operation names.
template <std::size_t row = 0, class Use>
void with_penalty(const Penalty* penalty, const Use& use) {
  if constexpr (row < kNPenalties) {
    if (penalty != &penalties()[row]) return with_penalty<row + 1>(penalty, use);
    use(std::integral_constant<std::size_t, row>{});
  }
}

/// The weight of a penalty over its schedule.
struct PenaltyWeight {
  float at_start, change;
  [[nodiscard]] constexpr float now(const Operands& o) const {
    return at_start + change * *o.in(1);
  }
};

template <class Work>
PenaltyWeight penalty_weight(const Work& work) {
  return {work.attributes().number, work.attributes().number_change};
}

template <std::size_t row, class Work>
void penalty_of(Work& work) {
  const PenaltyWeight weight = penalty_weight(work);
  const auto n = static_cast<double>(work.size(0));
  work.sums(
      1, work.size(0),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(typename PenaltyRow<row>::Term::Value{}(o.in(0)[i]));
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = static_cast<float>(static_cast<double>(weight.now(o)) * sum / n);
      });
}

template <class Work>
void penalty(Work& work) {
  with_penalty(work.attributes().penalty, [&](auto row) { penalty_of<row()>(work); });
}

template <std::size_t row, class Work>
void penalty_gradient_of(Work& work) {
  const PenaltyWeight weight = penalty_weight(work);
  const auto n = static_cast<float>(work.size());
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = typename PenaltyRow<row>::Term::Slope{}(o.in(0)[i]) / n * weight.now(o);
  });
}

template <class Work>
void penalty_gradient(Work& work) {
  with_penalty(work.attributes().penalty, [&](auto row) { penalty_gradient_of<row()>(work); });
}

template <class Work>
void absolute_error(Work& work) {
  const auto rate =
      static_cast<double>(work.attributes().number) / static_cast<double>(work.size(0));
  work.sums(
      1, work.size(0),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const float difference = o.in(0)[i] - o.in(1)[i];
        return static_cast<double>(difference < 0 ? -difference : difference);
      },
      [rate] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = static_cast<float>(rate * sum);
      });
}

template <class Work>
void absolute_error_gradient(Work& work) {
  const float slope = work.attributes().number / static_cast<float>(work.size());
  work.each(work.size(), [slope] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float a = o.in(0)[i];
    const float b = o.in(1)[i];
    o.out()[i] = a > b ? slope : a < b ? -slope : 0.0f;
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto losses_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kCrossEntropy, cross_entropy},
      {&kCrossEntropyGradient, cross_entropy_gradient},
      {&kPenalty, penalty},
      {&kPenaltyGradient, penalty_gradient},
      {&kAbsoluteError, absolute_error},
      {&kAbsoluteErrorGradient, absolute_error_gradient},
  });
}

}  // namespace lipizz::nn::cuda
