#include "nn/exec/host_device.hpp"

#include <algorithm>
#include <utility>

#include "nn/cpu/plan.hpp"

namespace lipizz::nn {
namespace {

class HostPlan final : public DevicePlan {
 public:
  HostPlan(const Engine& engine, const Graph& graph, std::uint32_t n_models,
           std::shared_ptr<PlanResources<float>> resources)
      : plan_(engine, graph, n_models, std::move(resources)) {}

  void bind(SlotId slot, std::uint32_t model, Region memory) override {
    plan_.bind(slot, model, std::span<float>(memory.data, memory.size));
  }
  void bind_part(SlotId slot, std::uint32_t model, std::size_t first, Region memory) override {
    plan_.bind_part(slot, model, first, std::span<float>(memory.data, memory.size));
  }
  std::span<float> setting(SlotId slot, std::uint32_t model) override {
    return plan_.setting(slot, model);
  }
  void run() override { plan_.run(); }
  [[nodiscard]] std::size_t n_launches() const override {
    return plan_.n_kernels() * plan_.n_models();
  }

 private:
  Plan<float> plan_;
};

}  // namespace

HostDevice::HostDevice(const Engine& engine)
    : engine_(engine), resources_(std::make_shared<PlanResources<float>>(engine.n_threads)) {}

Region HostDevice::allocate(std::size_t n) {
  float* memory = AlignedAllocator<float>().allocate(n);
  std::fill_n(memory, n, 0.0f);
  return {memory, n};
}

void HostDevice::free(Region memory) noexcept {
  AlignedAllocator<float>().deallocate(memory.data, memory.size);
}

void HostDevice::upload(std::span<const float> from, Region to) {
  std::ranges::copy(from, to.data);
}

void HostDevice::download(Region from, std::span<float> to) {
  std::copy_n(from.data, to.size(), to.begin());
}

std::unique_ptr<DevicePlan> HostDevice::plan(const Graph& graph, std::uint32_t n_models,
                                             Exactness exactness) {
  Engine engine = engine_;
  if (exactness == Exactness::kStrict) engine.precision = Precision::kF32;
  return std::make_unique<HostPlan>(engine, graph, n_models, resources_);
}

}  // namespace lipizz::nn
