#include "setup/machine_speed.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/clock.hpp"
#include "nn/cpu/peak.hpp"
#include "nn/exec/inference.hpp"

namespace lipizz::setup {
namespace {

constexpr double kEnough_s = 0.1;
constexpr std::uint32_t kRows = 256;
constexpr std::uint32_t kSide = 1024;
constexpr std::size_t kLarge = 64 << 20;

// CPU seconds of one call, after a first one that is not counted.
template <class Work>
double seconds(const Work& work) {
  work();
  const double begin_s = thread_cpu_s();
  int n = 0;
  while (thread_cpu_s() - begin_s < kEnough_s) {
    work();
    ++n;
  }
  return (thread_cpu_s() - begin_s) / n;
}

double product_s(nn::Device& device) {
  const nn::NetworkSpec network{.inputs = {kSide}, .layers = {nn::Layer{.outputs = kSide}}};
  nn::Inference product(device, network, kRows, 1);
  const nn::DeviceMemory parameters(device, nn::parameter_layout(network).n_padded);
  const nn::DeviceMemory input(device, std::size_t{kRows} * kSide);
  const nn::DeviceMemory output(device, std::size_t{kRows} * kSide);
  product.bind(0, parameters.region(), input.region(), output.region());
  return seconds([&] { product.run(); });
}

double copy_s() {
  const std::vector<char> from(kLarge, 1);
  std::vector<char> to(kLarge);
  char seen = 0;
  const double each_s = seconds([&] {
    std::memcpy(to.data(), from.data(), kLarge);
    seen = static_cast<char>(seen + to[kLarge / 2]);
  });
  volatile char sink = seen;  // else nothing would be copied
  static_cast<void>(sink);
  return each_s;
}

}  // namespace

MachineSpeed measure_machine(nn::Device& device) {
  constexpr double kOperations = 2.0 * kRows * kSide * kSide;
  return {.peak_flops_per_s = std::max(nn::peak_flops_per_s(), nn::peak_flops_per_s()),
          .product_flops_per_s = kOperations / product_s(device),
          .bytes_per_s = 2.0 * kLarge / copy_s()};
}

}  // namespace lipizz::setup
