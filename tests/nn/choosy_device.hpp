#pragma once

#include <memory>
#include <vector>

#include "nn/support.hpp"

namespace lipizz::nn::testing {

/// A far device that has another algorithm for one model than for several, as a vendor's library
/// may choose: it sums in another order then.
class ChoosyDevice final : public FarDevice {
 public:
  ChoosyDevice() : FarDevice({.make_kernel = make_host_kernel}) {}

  [[nodiscard]] std::string_view name() const override { return "choosy"; }
  std::unique_ptr<DevicePlan> plan(const Graph& graph, std::uint32_t n_models,
                                   Exactness exactness) override {
    return n_models == 1 ? for_one_.plan(graph, n_models, exactness)
                         : FarDevice::plan(graph, n_models, exactness);
  }

 private:
  HostDevice for_one_;  // on the reference engine
};

/// True where the bits of a model may depend on how many others a plan has: on GPUs, where cuBLAS
/// chooses an algorithm by the number of matrices, and on the device that plays one.
inline bool chooses_by_number_of_models(const Device& device) {
  return device.name().starts_with("cuda") || device.name() == "choosy";
}

/// All devices, and one that chooses by the number of models.
inline std::vector<std::shared_ptr<Device>> devices_and_a_choosy_one() {
  std::vector<std::shared_ptr<Device>> all = devices();
  all.push_back(std::make_shared<ChoosyDevice>());
  return all;
}

}  // namespace lipizz::nn::testing
