#include "core/error.hpp"
#include "nn/cpu/kernels.hpp"
#include "nn/cpu/onednn_engine.hpp"

// Stands in for onednn_engine.cpp in a build without oneDNN.
namespace lipizz::nn {

std::span<const KernelEntry> fast_kernels() {
  return {};
}
bool has_onednn() {
  return false;
}
void use_one_onednn_thread() {}
void cap_onednn(NumericsLevel) {
  throw ConfigError("this build has no oneDNN; use engine reference");
}

}  // namespace lipizz::nn
