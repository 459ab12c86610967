#pragma once

#include <cmath>

#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void dropout(Work& work) {
  const float rate = work.attributes().number;
  const float kept = 1 / (1 - rate);
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(1)[i] < rate ? 0.0f : o.in(0)[i] * kept;
  });
}

template <class Work>
void interpolate(Work& work) {
  const std::size_t size = work.size() / work.shape()[0];
  work.each(work.size(), [size] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float share = o.in(2)[i / size];
    o.out()[i] = share * o.in(0)[i] + (1 - share) * o.in(1)[i];
  });
}

template <class Work>
void perturb(Work& work) {
  const auto n = static_cast<double>(work.size());
  const float number = work.attributes().number;
  work.use_workspace(2);
  work.sums(
      1, work.size(),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(o.in(0)[i]);
      },
      [n] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        o.workspace[0] = static_cast<float>(sum / n);
      });
  work.sums(
      1, work.size(),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        const double distance =
            static_cast<double>(o.in(0)[i]) - static_cast<double>(o.workspace[0]);
        return distance * distance;
      },
      [=] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        o.workspace[1] = static_cast<float>(std::sqrt(sum / n)) * number;
      });
  work.each(work.size(), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] + o.workspace[1] * o.in(1)[i];
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto randomised_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kDropout, dropout},
      {&kInterpolate, interpolate},
      {&kPerturb, perturb},
  });
}

}  // namespace lipizz::nn::cuda
