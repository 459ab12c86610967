#pragma once

#include <cstddef>
#include <type_traits>

#include "nn/base/loss_table.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

enum class TermOf { kGenerated, kReal, kFake };

/// A term of the loss whose number is given: its value, or its derivative.
template <TermOf term, bool is_slope, std::size_t row = 0>
constexpr float loss_term(std::size_t loss, float logit) {
  if constexpr (row == kNLosses) {
    return 0;
  } else {
    using Row = LossRow<row>;
    using OfReal =
        std::conditional_t<term == TermOf::kReal, typename Row::Real, typename Row::Fake>;
    using Term = std::conditional_t<term == TermOf::kGenerated, typename Row::Generator, OfReal>;
    if (loss != row) return loss_term<term, is_slope, row + 1>(loss, logit);
    if constexpr (is_slope) {
      return typename Term::Slope{}(logit);
    } else {
      return typename Term::Value{}(logit);
    }
  }
}

/// True when the loss whose number is given is relativistic.
template <std::size_t row = 0>
constexpr bool is_relativistic(std::size_t loss) {
  if constexpr (row == kNLosses) {
    return false;
  } else {
    if (loss != row) return is_relativistic<row + 1>(loss);
    return std::get<row>(kLossTable).is_relativistic;
  }
}

/// The number that a term is a function of: a logit, less that of the other sample of its pair
/// where the loss is relativistic.
constexpr float logit_for(std::size_t loss, const float* own, const float* other, std::size_t i) {
  return is_relativistic(loss) ? own[i] - other[i] : own[i];
}

/// The generator's loss on row i, or its derivative. Only a relativistic loss has a third input.
template <bool is_slope>
constexpr float generator_term(const Operands& o, std::size_t i) {
  const auto loss = static_cast<std::size_t>(*o.in(1));
  const float* other = is_relativistic(loss) ? o.in(2) : nullptr;
  return loss_term<TermOf::kGenerated, is_slope>(loss, logit_for(loss, o.in(0), other, i));
}

/// The terms of pair i, or their derivatives; `half` real rows stand in front of as many fakes.
template <TermOf term, bool is_slope>
constexpr float pair_term(const Operands& o, std::size_t half, std::size_t i) {
  const auto loss = static_cast<std::size_t>(*o.in(1));
  const float* own = term == TermOf::kReal ? o.in(0) : o.in(0) + half;
  const float* other = term == TermOf::kReal ? o.in(0) + half : o.in(0);
  return loss_term<term, is_slope>(loss, logit_for(loss, own, other, i));
}

template <class Work>
void generator_loss(Work& work) {
  const float number = work.attributes().number;
  const auto n = static_cast<double>(work.size(0));
  work.sums(
      1, work.size(0),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(generator_term<false>(o, i));
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = number * static_cast<float>(sum / n);
      });
}

template <class Work>
void generator_loss_gradient(Work& work) {
  const float number = work.attributes().number;
  const auto n = static_cast<float>(work.size());
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = number * (generator_term<true>(o, i) / n);
  });
}

template <class Work>
void discriminator_loss(Work& work) {
  const float number = work.attributes().number;
  const std::size_t half = work.size(0) / 2;
  work.sums(
      1, half,
      [half] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(pair_term<TermOf::kReal, false>(o, half, i)) +
               static_cast<double>(pair_term<TermOf::kFake, false>(o, half, i));
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = number * static_cast<float>(sum / static_cast<double>(half));
      });
}

template <class Work>
void discriminator_loss_gradient(Work& work) {
  const float number = work.attributes().number;
  const std::size_t half = work.size() / 2;
  work.each(half, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float n = static_cast<float>(half);
    const float real = number * (pair_term<TermOf::kReal, true>(o, half, i) / n);
    const float fake = number * (pair_term<TermOf::kFake, true>(o, half, i) / n);
    const bool is_paired = is_relativistic(static_cast<std::size_t>(*o.in(1)));
    o.out()[i] = is_paired ? real - fake : real;
    o.out()[half + i] = is_paired ? fake - real : fake;
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto adversarial_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kGeneratorLoss, generator_loss},
      {&kGeneratorLossGradient, generator_loss_gradient},
      {&kDiscriminatorLoss, discriminator_loss},
      {&kDiscriminatorLossGradient, discriminator_loss_gradient},
  });
}

}  // namespace lipizz::nn::cuda
