#include "nn/cuda/host_kernels.hpp"

#include <algorithm>

#include "nn/cpu/numerics.hpp"
#include "nn/cuda/host_work.hpp"
#include "nn/cuda/kernels.hpp"
#include "nn/exec/staged_operation.hpp"
#include "nn/graph/operation.hpp"

namespace lipizz::nn::testing {
namespace {

class HostKernel final : public Kernel<float> {
 public:
  HostKernel(const Graph& graph, ValueId value) : work_(graph, value) { cuda::compute(work_); }
  void run(float* const* values) override {
    const DenormalsKept kept;
    work_.run(values);
  }

 private:
  HostWork work_;
};

// Values are copied to other memory and back, as those of a device are.
class ExchangeKernel final : public Kernel<float> {
 public:
  ExchangeKernel(const Graph& graph, ValueId value)
      : operation_(graph, value), host_(operation_.n_elements()) {}
  void run(float* const* values) override {
    for (const auto& [value, place, n] : operation_.inputs()) {
      std::copy_n(values[value.index], n, &host_[place]);
    }
    std::vector<float*> on_host;
    for (const ValueId value : operation_.on_host()) on_host.push_back(values[value.index]);
    operation_.run(host_.data(), on_host);
    for (const auto& [value, place, n] : operation_.outputs()) {
      std::copy_n(&host_[place], n, values[value.index]);
    }
  }

 private:
  StagedOperation operation_;
  Buffer<float> host_;
};

}  // namespace

std::unique_ptr<Kernel<float>> make_host_kernel(const Graph& graph, ValueId value) {
  if (is_left_to_host(graph, value)) {
    return std::make_unique<ExchangeKernel>(graph, value);
  }
  return std::make_unique<HostKernel>(graph, value);
}

}  // namespace lipizz::nn::testing
