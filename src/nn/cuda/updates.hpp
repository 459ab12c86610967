#pragma once

#include <cmath>

#include "nn/base/optimizer.hpp"
#include "nn/base/powers.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

template <class Work>
void adam(Work& work) {
  const OptimizerSpec& spec = work.attributes().optimizer;
  const double decay1 = spec.beta1;
  const double decay2 = spec.beta2;
  work.use_scratch(2);
  work.each(1, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t) {
    const auto step = static_cast<std::uint32_t>(o.in(2)[1]);
    const auto rate = static_cast<double>(o.in(2)[0]);
    o.scratch[0] = static_cast<float>(rate / (1 - power(decay1, step + 1)));
    o.scratch[1] = static_cast<float>(1 / std::sqrt(1 - power(decay2, step + 1)));
  });
  const auto beta1 = static_cast<float>(spec.beta1);
  const auto beta2 = static_cast<float>(spec.beta2);
  const auto keep1 = static_cast<float>(1 - spec.beta1);
  const auto keep2 = static_cast<float>(1 - spec.beta2);
  const auto epsilon = static_cast<float>(spec.epsilon);
  work.each(work.size(0), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float g = o.in(1)[i];
    const float m = beta1 * o.in(3)[i] + keep1 * g;
    const float v = beta2 * o.in(4)[i] + keep2 * g * g;
    o.in(3)[i] = m;
    o.in(4)[i] = v;
    o.in(0)[i] -= o.scratch[0] * m / (std::sqrt(v) * o.scratch[1] + epsilon);
  });
}

template <class Work>
void sgd(Work& work) {
  const auto beta1 = static_cast<float>(work.attributes().optimizer.beta1);
  work.each(work.size(0), [beta1] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float m = beta1 * o.in(3)[i] + o.in(1)[i];
    o.in(3)[i] = m;
    o.in(0)[i] -= o.in(2)[0] * m;
  });
}

template <class Work>
void rmsprop(Work& work) {
  const OptimizerSpec& spec = work.attributes().optimizer;
  const auto beta2 = static_cast<float>(spec.beta2);
  const auto keep2 = static_cast<float>(1 - spec.beta2);
  const auto epsilon = static_cast<float>(spec.epsilon);
  work.each(work.size(0), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const float g = o.in(1)[i];
    const float m = beta2 * o.in(3)[i] + keep2 * g * g;
    o.in(3)[i] = m;
    o.in(0)[i] -= o.in(2)[0] * g / (std::sqrt(m) + epsilon);
  });
}

template <class Work>
void optimizer_step(Work& work) {
  switch (work.attributes().optimizer.kind) {
    case OptimizerKind::kAdam:
      return adam(work);
    case OptimizerKind::kSgd:
      return sgd(work);
    case OptimizerKind::kRmsProp:
      return rmsprop(work);
  }
}

template <class Work>
void clip(Work& work) {
  work.each(work.size(0),
            [limit = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const float w = o.in(0)[i];
              o.in(0)[i] = w > limit ? limit : w < -limit ? -limit : w;
            });
}

template <class Work>
void move_average(Work& work) {
  work.each(work.size(0),
            [most = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const float step = o.in(2)[1];
              const float early = (1 + step) / (10 + step);
              const float rate = 1 - (early < most ? early : most);
              o.in(0)[i] += rate * (o.in(1)[i] - o.in(0)[i]);
            });
}

}  // namespace lipizz::nn::cuda
