#include "nn/cuda/host_kernels.hpp"

#include "nn/cuda/host_work.hpp"
#include "nn/cuda/kernels.hpp"

namespace lipizz::nn::testing {
namespace {

class HostKernel final : public Kernel<float> {
 public:
  HostKernel(const Graph& graph, ValueId value) : work_(graph, value) { cuda::compute(work_); }
  void run(float* const* values) override { work_.run(values); }

 private:
  HostWork work_;
};

}  // namespace

std::unique_ptr<Kernel<float>> make_host_kernel(const Graph& graph, ValueId value) {
  return std::make_unique<HostKernel>(graph, value);
}

}  // namespace lipizz::nn::testing
