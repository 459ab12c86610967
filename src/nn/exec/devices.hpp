#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nn/base/engine.hpp"
#include "nn/base/precision.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::nn {

/// The configuration's `device` may be `cpu`; `cuda` or `cuda:i` for a GPU, the first or the i-th;
/// `check` for the first one, checked by the processor (nn/exec/checking_device.hpp). A device that
/// works for the host uses the engine; others have kernels of their own, in a library of their own
/// that is loaded when it is asked for.

/// ConfigError when there is no such device, which says what is missing.
std::unique_ptr<Device> open_device(std::string_view name, const Engine& engine,
                                    Precision precision = Precision::kF32);

/// ConfigError when the processor is asked for another precision than f32 or bf16 (which it has to
/// have: nn/cpu/numerics.hpp), or it and GPUs (`cuda+cpu`: what each of a run's workers opens, a
/// GPU or the processor, is its master's choice) for another than f32.
void check_precision(std::string_view device, Precision precision);

/// The index in a GPU's name: 2 of `cuda:2`, 0 of `cuda`; none when it names no GPU.
std::optional<int> cuda_index(std::string_view name);

/// GPUs that this build and machine offer. ConfigError where a GPU's driver is there and this
/// program cannot use it, since its own library or one of NVIDIA's does not load: that is a fault
/// to be mended, not a machine without GPUs.
int count_gpus();
/// The reason why there is none: no such build, no driver, no device. Empty where there is one;
/// ConfigError as above.
std::string why_no_gpu();

}  // namespace lipizz::nn
