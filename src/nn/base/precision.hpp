#pragma once

#include <string_view>

namespace lipizz::nn {

/// How exactly products are computed. Parameters, moments and sums are in single precision in all.
enum class Precision {
  kF32,   // strictly in single precision
  kTf32,  // factors rounded to 10 bits of mantissa, sums in single precision
  kBf16,  // factors rounded to 7 bits
};

/// `f32`, `tf32`, `bf16`. ConfigError naming the nearest when there is none.
Precision parse_precision(std::string_view name);
std::string_view to_string(Precision precision);

/// The difference that two results of one operation may have, relative to their root mean square.
double tolerance_of(Precision precision);

}  // namespace lipizz::nn
