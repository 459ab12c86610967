#pragma once

namespace lipizz::nn {
class Device;
struct Engine;
}  // namespace lipizz::nn

/// The library's only exports, found by name. `lipizz_open_cuda` throws ConfigError as CudaDevice
/// does, and looks at the engine's precision and at who computes together; the caller deletes what
/// it gives.
extern "C" {
lipizz::nn::Device* lipizz_open_cuda(int index, const lipizz::nn::Engine& engine);
int lipizz_count_cuda();
const char* lipizz_why_no_cuda();  // empty where there is a device
}
