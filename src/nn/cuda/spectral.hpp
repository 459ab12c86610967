#pragma once

#include <cmath>

#include "nn/cuda/work.hpp"

/// Spectral normalisation (nn/base/spectral.hpp): w [n_in, n_out], u [n_out], v [n_in].
namespace lipizz::nn::cuda {

/// Brings an input to length one.
template <class Work>
void normalise_vector(Work& work, std::uint32_t input) {
  work.sums(
      1, work.size(input),
      [input] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const auto x = static_cast<double>(o.in(input)[i]);
        return x * x;
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        const double length = std::sqrt(sum);
        o.workspace[0] = static_cast<float>(1 / (length > 1e-12 ? length : 1e-12));
      });
  work.each(work.size(input), [input] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.in(input)[i] *= o.workspace[0];
  });
}

template <class Work>
void power_iteration(Work& work) {
  const std::size_t n_out = work.shape(0).back();
  const std::size_t n_in = work.size(0) / n_out;
  work.use_workspace(1);
  work.sums(
      n_in, n_out,
      [n_out] LIPIZZ_DEVICE(const Operands& o, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[row * n_out + c]) * static_cast<double>(o.in(1)[c]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t row, double sum) {
        o.in(2)[row] = static_cast<float>(sum);
      });
  normalise_vector(work, 2);
  work.column_sums(
      1, n_in, n_out,
      [n_out] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[row * n_out + c]) * static_cast<double>(o.in(2)[row]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t c, double sum) {
        o.in(1)[c] = static_cast<float>(sum);
      });
  normalise_vector(work, 1);
}

/// workspace[0] = 1 / (v^T w u), where w is this input, and u and v the two behind it.
template <class Work>
void invert_singular_value(Work& work, std::uint32_t input) {
  const std::size_t n_out = work.shape(input).back();
  work.sums(
      1, work.size(input),
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(o.in(input)[i]) *
               static_cast<double>(o.in(input + 1)[i % n_out]) *
               static_cast<double>(o.in(input + 2)[i / n_out]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        o.workspace[0] = static_cast<float>(1 / sum);
      });
}

template <class Work>
void spectral_scale(Work& work) {
  work.use_workspace(1);
  invert_singular_value(work, 0);
  work.each(work.size(), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] * o.workspace[0];
  });
}

/// dw = dy / s - (sum of dy w) / s^2 v u^T
template <class Work>
void spectral_scale_gradient(Work& work) {
  const std::size_t n_out = work.shape().back();
  work.use_workspace(2);
  invert_singular_value(work, 1);
  work.sums(
      1, work.size(),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(o.in(0)[i]) * static_cast<double>(o.in(1)[i]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        const auto rate = static_cast<double>(o.workspace[0]);
        o.workspace[1] = static_cast<float>(sum * rate * rate);
      });
  work.each(work.size(), [n_out] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] =
        o.in(0)[i] * o.workspace[0] - o.workspace[1] * o.in(3)[i / n_out] * o.in(2)[i % n_out];
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto spectral_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kPowerIteration, power_iteration},
      {&kSpectralScale, spectral_scale},
      {&kSpectralScaleGradient, spectral_scale_gradient},
  });
}

}  // namespace lipizz::nn::cuda
