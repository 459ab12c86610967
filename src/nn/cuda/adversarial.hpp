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

template <class Work>
void generator_loss(Work& work) {
  const auto n = static_cast<double>(work.size(0));
  work.sums(
      1, work.size(0),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const auto loss = static_cast<std::size_t>(*o.in(1));
        return static_cast<double>(loss_term<TermOf::kGenerated, false>(loss, o.in(0)[i]));
      },
      [n] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = static_cast<float>(sum / n);
      });
}

template <class Work>
void generator_loss_gradient(Work& work) {
  const auto n = static_cast<float>(work.size());
  work.each(work.size(), [n] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const auto loss = static_cast<std::size_t>(*o.in(1));
    o.out()[i] = loss_term<TermOf::kGenerated, true>(loss, o.in(0)[i]) / n;
  });
}

template <class Work>
void discriminator_loss(Work& work) {
  const std::size_t half = work.size(0) / 2;
  work.sums(
      1, 2 * half,
      [half] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const auto loss = static_cast<std::size_t>(*o.in(1));
        const float logit = o.in(0)[i];
        return static_cast<double>(i < half ? loss_term<TermOf::kReal, false>(loss, logit)
                                            : loss_term<TermOf::kFake, false>(loss, logit));
      },
      [half] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.out() = static_cast<float>(sum / static_cast<double>(half));
      });
}

template <class Work>
void discriminator_loss_gradient(Work& work) {
  const std::size_t half = work.size() / 2;
  work.each(2 * half, [half] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const auto loss = static_cast<std::size_t>(*o.in(1));
    const float logit = o.in(0)[i];
    const float slope = i < half ? loss_term<TermOf::kReal, true>(loss, logit)
                                 : loss_term<TermOf::kFake, true>(loss, logit);
    o.out()[i] = slope / static_cast<float>(half);
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
