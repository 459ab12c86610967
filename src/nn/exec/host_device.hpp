#pragma once

#include <memory>

#include "nn/base/engine.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::nn {

/// The processor that this program runs on, in its own memory, with one of the CPU engines.
class HostDevice final : public Device {
 public:
  explicit HostDevice(const Engine& engine = {});

  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] bool is_host() const override { return true; }
  [[nodiscard]] bool updates_together() const override { return false; }
  [[nodiscard]] std::uint32_t n_threads() const override { return engine_.n_threads; }
  [[nodiscard]] Collectives* collectives() const override { return engine_.collectives; }
  [[nodiscard]] const Pipeline* pipeline() const override { return pipeline_of(engine_); }
  [[nodiscard]] const Engine& engine() const { return engine_; }

  Region allocate(std::size_t n) override;
  void free(Region memory) noexcept override;
  void upload(std::span<const float> from, Region to) override;
  void download(Region from, std::span<float> to) override;
  std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                   Exactness exactness) override;

 private:
  Engine engine_;
  std::shared_ptr<PlanResources<float>> resources_;  // of all its plans
};

}  // namespace lipizz::nn
