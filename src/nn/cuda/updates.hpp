#pragma once

#include <cmath>

#include "nn/base/clipping.hpp"
#include "nn/base/mixed_precision.hpp"
#include "nn/base/optimizer_table.hpp"
#include "nn/base/shard.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

inline constexpr std::uint32_t kFirstMoment = 3;  // of an optimizer step's inputs

/// The moments of a tensor are advanced and, unless it is a vector, its trust ratio becomes one of
/// the numbers, behind which there is space for the length of its weights.
template <class Optimizer, class Work>
void measure_layer(Work& work) {
  using Numbers = typename Optimizer::Numbers;
  const std::size_t n = work.size(0);
  work.each(n, [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    if (o.in(2)[3] != 0) return;
    float moments[Optimizer::kNMoments];
    for (std::uint32_t m = 0; m < Optimizer::kNMoments; ++m) moments[m] = o.in(kFirstMoment + m)[i];
    Optimizer::advance(*reinterpret_cast<const Numbers*>(o.workspace), o.in(1)[i], moments);
    for (std::uint32_t m = 0; m < Optimizer::kNMoments; ++m) o.in(kFirstMoment + m)[i] = moments[m];
  });
  if (work.shape(0).size() == 1) return;
  work.sums(
      1, n,
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(o.in(0)[i]) * static_cast<double>(o.in(0)[i]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        o.workspace[sizeof(Numbers) / sizeof(float)] = static_cast<float>(std::sqrt(sum));
      });
  work.sums(
      1, n,
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        float moments[Optimizer::kNMoments];
        for (std::uint32_t m = 0; m < Optimizer::kNMoments; ++m) {
          moments[m] = o.in(kFirstMoment + m)[i];
        }
        const float x = Optimizer::measured(*reinterpret_cast<const Numbers*>(o.workspace),
                                            o.in(1)[i], o.in(0)[i], moments);
        return static_cast<double>(x) * static_cast<double>(x);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        auto& numbers = *reinterpret_cast<Numbers*>(o.workspace);
        const float length = o.workspace[sizeof(Numbers) / sizeof(float)];
        numbers.trust = Optimizer::trust(numbers, static_cast<double>(length), std::sqrt(sum));
      });
}

/// The numbers that an update is made with come first: they depend on the step, which a device
/// knows when it runs.
template <class Optimizer, class Work>
void optimizer_step_by(Work& work) {
  using Numbers = typename Optimizer::Numbers;
  static_assert(sizeof(Numbers) % sizeof(float) == 0);
  work.use_workspace(sizeof(Numbers) / sizeof(float) + 1);
  work.each(1, [spec = work.attributes().optimizer] LIPIZZ_DEVICE(const Operands& o, std::size_t) {
    const float* settings = o.in(2);
    *reinterpret_cast<Numbers*>(o.workspace) =
        Optimizer::numbers(at_progress(spec, static_cast<double>(settings[2])), settings[0],
                           static_cast<std::uint32_t>(settings[1]));
  });
  if constexpr (kIsLayerwise<Optimizer>) measure_layer<Optimizer>(work);
  work.each(work.size(0), [] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    if (o.in(2)[3] != 0) return;
    float moments[Optimizer::kNMoments + 1];  // an array has one element at least
    for (std::uint32_t m = 0; m < Optimizer::kNMoments; ++m) moments[m] = o.in(kFirstMoment + m)[i];
    Optimizer::update(*reinterpret_cast<const Numbers*>(o.workspace), o.in(1)[i], o.in(0)[i],
                      moments);
    for (std::uint32_t m = 0; m < Optimizer::kNMoments; ++m) o.in(kFirstMoment + m)[i] = moments[m];
  });
}

template <class Work>
void optimizer_step(Work& work) {
  with_optimizer(work.attributes().optimizer.kind,
                 [&work]<class Optimizer>(Optimizer) { optimizer_step_by<Optimizer>(work); });
}

template <class Work>
void clip(Work& work) {
  work.each(work.size(0),
            [limit = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              const float x = o.in(0)[i];
              o.in(0)[i] = x > limit ? limit : x < -limit ? -limit : x;
            });
}

template <class Work>
void squared_lengths(Work& work) {
  const std::size_t n = work.size(0);
  const std::size_t n_blocks = n_shard_blocks(n);
  work.sums(
      n_blocks, n_blocks == 1 ? n : kShardBlock,
      [n] LIPIZZ_DEVICE(const Operands& o, std::size_t block, std::size_t i) {
        const std::size_t at = block * kShardBlock + i;
        return at < n ? static_cast<double>(o.in(0)[at]) * static_cast<double>(o.in(0)[at]) : 0.0;
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t block, double sum) {
        o.out()[block] = static_cast<float>(sum);
      });
}

/// The length squared whose parts are the input `squares` comes first in the workspace.
template <std::uint32_t squares, class Work>
void add_up_squares(Work& work) {
  work.use_workspace(1);
  work.sums(
      1, work.size(squares),
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, std::size_t i) {
        return static_cast<double>(o.in(squares)[i]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t, double sum) {
        *o.workspace = static_cast<float>(sum);
      });
}

template <class Work>
void clip_length(Work& work) {
  add_up_squares<1>(work);
  work.each(work.size(0),
            [most = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              o.in(0)[i] *= clip_factor(most, *o.workspace, o.in(2)[LossScale::kInverse]);
            });
}

template <class Work>
void guarded_settings(Work& work) {
  add_up_squares<2>(work);
  work.each(1, [] LIPIZZ_DEVICE(const Operands& o, std::size_t) {
    o.out()[0] = o.in(0)[0];
    o.out()[1] = o.in(0)[1] - o.in(1)[LossScale::kSkipped];
    o.out()[2] = o.in(0)[2];
    o.out()[3] = std::isfinite(*o.workspace) ? 0 : 1;
  });
}

template <class Work>
void advance_loss_scale(Work& work) {
  add_up_squares<1>(work);
  work.each(1, [interval = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t) {
    LossScale::advance(o.in(0), std::isfinite(*o.workspace), interval);
  });
}

template <class Work>
void update_ema(Work& work) {
  work.each(work.size(0),
            [most = work.attributes().number] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
              if (o.in(2)[3] != 0) return;
              const float step = o.in(2)[1];
              const float early = (1 + step) / (10 + step);
              const float rate = 1 - (early < most ? early : most);
              o.in(0)[i] += rate * (o.in(1)[i] - o.in(0)[i]);
            });
}

template <class Work>
void update_running(Work& work) {
  const std::size_t n_groups = work.shape(1)[0];
  const std::size_t n = work.shape(1)[2];
  const auto rows = static_cast<float>(work.attributes().shape.front());
  const float momentum = work.attributes().number;
  const float unbiased = rows > 1 ? rows / (rows - 1) : 1.0f;
  const bool is_guarded = work.has_input(2);
  work.each(n, [=] LIPIZZ_DEVICE(const Operands& o, std::size_t c) {
    if (is_guarded && o.in(2)[3] != 0) return;
    float* running = o.in(0);
    for (std::size_t g = 0; g < n_groups; ++g) {
      const float* statistics = o.in(1) + 2 * g * n;
      running[c] += momentum * (statistics[c] - running[c]);
      running[n + c] += momentum * (statistics[n + c] * unbiased - running[n + c]);
    }
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto updates_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kOptimizerStep, optimizer_step},
      {&kUpdateRunning, update_running},
      {&kClip, clip},
      {&kSquaredLengths, squared_lengths},
      {&kClipLength, clip_length},
      {&kGuardedSettings, guarded_settings},
      {&kAdvanceLossScale, advance_loss_scale},
      {&kUpdateEma, update_ema},
  });
}

}  // namespace lipizz::nn::cuda
