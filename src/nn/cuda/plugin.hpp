#pragma once

namespace lipizz::nn {
class Device;
enum class Precision;
}  // namespace lipizz::nn

/// The library's only exports, found by name. `lipizz_open_cuda` throws ConfigError as CudaDevice
/// does; the caller deletes what it gives.
extern "C" {
lipizz::nn::Device* lipizz_open_cuda(int index, lipizz::nn::Precision precision);
int lipizz_count_cuda();
const char* lipizz_why_no_cuda();  // empty where there is a device
}
