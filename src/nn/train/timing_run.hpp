#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/clock.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/exec/device.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// How a timing run's networks are trained.
struct TimedSteps {
  OptimizerSpec generator{};
  OptimizerSpec discriminator{};
  StepOptions generator_options{}, discriminator_options{};
};

/// Training steps of networks at their start, on random samples: for the time that they take, which
/// does not depend on what is learnt. Used by its device's thread.
class TimingRun {
 public:
  /// `n_models` pairs train in the same steps; the device outlives them.
  TimingRun(Device& device, const GanSpec& gan, std::uint32_t batch, std::uint32_t n_models,
            const TimedSteps& steps = {});
  TimingRun(TimingRun&&) noexcept;
  TimingRun& operator=(TimingRun&&) noexcept;
  ~TimingRun();

  /// One step of all models' networks; the device may still be at it.
  void train_generators();
  void train_discriminators();
  /// Seconds that so many of both take, one after the other, until the device has done them.
  double seconds(int n_rounds, const Clock& clock);
  /// The number of launches of one step of each (nn/exec/device.hpp).
  [[nodiscard]] std::size_t n_launches() const;
  /// The loss of a discriminator's last step; waits for the device.
  [[nodiscard]] float loss(std::uint32_t model);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::nn
