#pragma once

#include "nn/base/precision.hpp"

namespace lipizz::nn {

/// Operations per second of CPU time at the peak of this core, measured now: independent
/// multiply-adds on the widest registers the machine offers. In bf16 they are AVX-512's of pairs;
/// those of AMX are not measured, and where there are none it is the peak of single precision.
double peak_flops_per_s(Precision precision = Precision::kF32);

/// The instructions that the peak is measured on: `avx512_bf16`, `avx512`, `avx2` or `baseline`.
const char* peak_name(Precision precision = Precision::kF32);

}  // namespace lipizz::nn
