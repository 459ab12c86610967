#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "nn/exec/host_device.hpp"

namespace lipizz::nn::testing {

/// A device with memory of its own and devices' kernels, played by the host.
class FarDevice : public Device {
 public:
  explicit FarDevice(const Engine& engine) : host_(engine) {}

  [[nodiscard]] std::string_view name() const override { return "far"; }
  [[nodiscard]] bool is_host() const override { return false; }
  [[nodiscard]] bool updates_together() const override { return true; }
  [[nodiscard]] Collectives* collectives() const override { return host_.collectives(); }
  [[nodiscard]] const Pipeline* pipeline() const override { return host_.pipeline(); }

  Region allocate(std::size_t n) override {
    ++n_regions;
    n_elements += n;
    most_elements = std::max(most_elements, n_elements);
    return host_.allocate(n);
  }
  void free(Region memory) noexcept override {
    --n_regions;
    n_elements -= memory.size;
    host_.free(memory);
  }
  void upload(std::span<const float> from, Region to) override { host_.upload(from, to); }
  void download(Region from, std::span<float> to) override { host_.download(from, to); }
  std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                   Exactness exactness) override {
    planned.push_back(exactness);
    return host_.plan(graph, n_models, exactness);
  }

  int n_regions = 0;               // that are in use
  std::size_t n_elements = 0;      // of these
  std::size_t most_elements = 0;   // that there were at a time
  std::vector<Exactness> planned;  // what plans were asked for

 private:
  HostDevice host_;
};

}  // namespace lipizz::nn::testing
