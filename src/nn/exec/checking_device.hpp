#pragma once

#include <memory>
#include <string>

#include "nn/base/engine.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::nn {

/// A device that is checked by the host: every operation runs on both, on the device's own inputs,
/// and their results are compared. The device's result is the one passed on, so that errors do not
/// add up. Slow: each operation waits for the one before and comes back to the host.
///
/// Two results agree when |found - wanted| <= tolerance * (|found|_rms + |wanted|_rms) for every
/// element, or when neither is finite; strict plans are held to the tolerance of f32. InternalError
/// naming the operation, its shapes and the
/// largest difference when they do not.
class CheckingDevice final : public Device {
 public:
  CheckingDevice(std::unique_ptr<Device> checked, const Engine& reference, double tolerance);

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool is_host() const override { return checked_->is_host(); }
  [[nodiscard]] bool updates_together() const override { return checked_->updates_together(); }

  Region allocate(std::size_t n) override { return checked_->allocate(n); }
  void free(Region memory) noexcept override { checked_->free(memory); }
  void upload(std::span<const float> from, Region to) override { checked_->upload(from, to); }
  void download(Region from, std::span<float> to) override { checked_->download(from, to); }
  std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                   Exactness exactness) override;

 private:
  std::unique_ptr<Device> checked_;
  Engine reference_;
  double tolerance_;
  std::string name_;
};

}  // namespace lipizz::nn
