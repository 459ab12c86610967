#pragma once

namespace lipizz::nn {

/// Single-precision operations per second of CPU time at the peak of this core,
/// measured now: independent fused multiply-adds on the widest registers the machine offers.
double peak_flops_per_s();

/// The instructions that the peak was measured on: `avx512`, `avx2` or `baseline`.
const char* peak_name();

}  // namespace lipizz::nn
