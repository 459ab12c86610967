#include "nn/cuda/plugin.hpp"

#include <memory>
#include <string>

#include "nn/cuda/device.hpp"

// The functions that nn/exec/devices.cpp looks up in this library.

extern "C" lipizz::nn::Device* lipizz_open_cuda(int index, const lipizz::nn::Engine& engine) {
  return std::make_unique<lipizz::nn::cuda::CudaDevice>(index, engine).release();
}

extern "C" int lipizz_count_cuda() {
  return lipizz::nn::cuda::count_devices();
}

extern "C" const char* lipizz_why_no_cuda() {
  static const std::string reason = lipizz::nn::cuda::why_none();
  return reason.c_str();
}
