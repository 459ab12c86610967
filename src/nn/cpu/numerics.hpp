#pragma once

#include "nn/base/engine.hpp"

namespace lipizz::nn {

/// True when this build has the backend.
bool is_available(Backend backend);
/// The fast one, where this build has it.
Backend fastest_backend();

/// The highest level that this machine offers for that precision.
NumericsLevel detect_numerics_level(Precision precision = Precision::kF32);

/// The highest level at which the backend computes here: on the reference backend kBaseline.
NumericsLevel highest_level(Backend backend, Precision precision = Precision::kF32);

/// The fastest backend at the highest level that this machine offers, in that precision.
Engine fastest_engine(Precision precision = Precision::kF32);

/// ConfigError when the engine computes in bf16 and this processor, or its level, does not.
void check_bf16(const Engine& engine);

/// Fixes the level of this process. Must come before the first oneDNN plan; a second call with
/// another level, a level above highest_level(), or what check_bf16() refuses is a ConfigError.
void fix_numerics(Engine engine);

/// Prepares the calling thread for computing: denormal numbers count as zero, oneDNN uses this
/// thread alone, and the kernel is asked for long time slices (core/time_slice.hpp). Every thread
/// that runs plans calls it first.
void prepare_compute_thread();

/// Denormal numbers are numbers in this thread as long as it lives, as they are on GPUs.
class DenormalsKept {
 public:
  DenormalsKept();
  DenormalsKept(const DenormalsKept&) = delete;
  ~DenormalsKept();

 private:
  unsigned before_;
};

}  // namespace lipizz::nn
