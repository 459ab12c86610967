// GPUs that the host plays, in a library with the name and the exports of the one that drives real
// ones: so that runs on GPUs, and on GPUs and cores, are tested where there is none.
// LIPIZZ_PRETEND_GPUS says how many there are; 1 unless told.
#include <cstdlib>
#include <memory>
#include <string>

#include "nn/base/engine.hpp"
#include "nn/cuda/host_kernels.hpp"
#include "nn/cuda/plugin.hpp"
#include "nn/far_device.hpp"

extern "C" lipizz::nn::Device* lipizz_open_cuda(int, const lipizz::nn::Engine& of_rank) {
  lipizz::nn::Engine engine{.make_kernel = lipizz::nn::testing::make_host_kernel};
  engine.collectives = of_rank.collectives;
  engine.pipeline = of_rank.pipeline;
  return std::make_unique<lipizz::nn::testing::FarDevice>(engine).release();
}

extern "C" int lipizz_count_cuda() {
  const char* n = std::getenv("LIPIZZ_PRETEND_GPUS");
  return n == nullptr ? 1 : std::stoi(n);
}

extern "C" const char* lipizz_why_no_cuda() {
  return lipizz_count_cuda() > 0 ? "" : "the pretended ones are gone";
}
