#include "core/error.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/onednn_engine.hpp"

// Stands in for onednn_engine.cpp in a build without oneDNN.
namespace lipizz::nn {

std::span<const KernelEntry> fast_kernels() {
  return {};
}
std::span<const KernelEntry> bf16_kernels() {
  return {};
}
std::unique_ptr<Kernel<float>> make_fast_kernel(const KernelEntry& entry, const Graph& graph,
                                                ValueId value) {
  return entry.make(graph, value);
}
bool has_onednn() {
  return false;
}
std::string onednn_version() {
  return {};
}
void use_one_onednn_thread() {}
void cap_onednn(NumericsLevel) {
  throw ConfigError("this build has no oneDNN; use engine reference");
}

}  // namespace lipizz::nn
