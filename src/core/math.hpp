#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// Elementary functions whose bits do not depend on the C library or the instruction set: plain
/// additions, multiplications and divisions in a fixed order (built without contraction), free of
/// branches so that loops over them vectorise. Single precision, within 2 units in the last place
/// of the true value unless stated; polynomials after Moshier's Cephes library.
/// The double overloads forward to the C library: they serve gradient checks, which compare with a
/// tolerance.
namespace lipizz::math {

/// exp() of what is not NaN, and some number of NaN: for functions that see to NaN themselves. A
/// select of NaN before their divisions makes compilers divide twice.
constexpr float exp_of_number(float x) {
  const float clamped = x > -87.3f ? (x < 88.0f ? x : 88.0f) : -87.3f;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  const float n = (clamped * 1.44269504088896341f + 12582912.0f) - 12582912.0f;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float fraction = (p * (r * r) + r) + 1.0f;
  const auto scale = std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
  return x < -87.3f ? 0.0f : fraction * scale;
}

/// e^x; 0 below -87.3, the largest finite power above 88.7.
constexpr float exp(float x) {
  return x != x ? x : exp_of_number(x);
}

/// Natural logarithm of a positive normal number; -infinity for 0, NaN below.
constexpr float log(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  const std::int32_t exponent = (bits >> 23) - 126;
  const auto mantissa = std::bit_cast<float>((bits & 0x007fffff) | 0x3f000000);  // [0.5, 1)
  const bool low = mantissa < 0.707106781186547524f;
  const float e = static_cast<float>(exponent) - (low ? 1.0f : 0.0f);
  const float r = (low ? mantissa + mantissa : mantissa) - 1.0f;
  const float z = r * r;
  float p = 7.0376836292e-2f;
  p = p * r - 1.1514610310e-1f;
  p = p * r + 1.1676998740e-1f;
  p = p * r - 1.2420140846e-1f;
  p = p * r + 1.4249322787e-1f;
  p = p * r - 1.6668057665e-1f;
  p = p * r + 2.0000714765e-1f;
  p = p * r - 2.4999993993e-1f;
  p = p * r + 3.3333331174e-1f;
  float y = p * r * z;
  y = (y + e * -2.12194440e-4f) - 0.5f * z;
  const float result = (r + y) + e * 0.693359375f;
  const float infinity = std::bit_cast<float>(0x7f800000);
  const float bad = x == 0.0f ? -infinity : std::bit_cast<float>(0x7fc00000);
  return x > 0.0f ? (x == infinity ? x : result) : bad;
}

/// log(1 + e^x), without overflow. Absolute error below 2e-7 beside the rounding of the result.
constexpr float softplus(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float e = exp_of_number(-magnitude);
  // log(1 + e) for e in [0, 1]; below 2^-12 the first two terms of its series are exact enough.
  const float tail = e < 2.44140625e-4f ? e - 0.5f * e * e : log(1.0f + e);
  return (x > 0.0f ? x : 0.0f) + (x != x ? x : tail);
}

/// 1 / (1 + e^-x)
constexpr float sigmoid(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float e = exp_of_number(-magnitude);
  const float high = 1.0f / (1.0f + e);
  return x != x ? x : (x < 0.0f ? e * high : high);
}

constexpr float tanh(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  const float e = exp_of_number(-2.0f * magnitude);
  const float large = (1.0f - e) / (1.0f + e);
  const float z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  const float small = x + x * z * p;
  const float signed_large = x < 0.0f ? -large : large;
  return magnitude >= 0.625f ? signed_large : small;  // small is NaN where x is
}

/// sin(2 pi u) and cos(2 pi u) for u in [0, 1). Absolute error below 2e-7.
struct SinCos {
  float sin;
  float cos;
};
constexpr SinCos sincos_turns(float u) {
  const float quarter = (u * 4.0f + 12582912.0f) - 12582912.0f;  // nearest quarter turn, 0..4
  const float r = (u - quarter * 0.25f) * 6.28318530717958648f;  // [-pi/4, pi/4]
  const float z = r * r;
  float s = -1.9515295891e-4f;
  s = s * z + 8.3321608736e-3f;
  s = s * z - 1.6666654611e-1f;
  s = s * z * r + r;
  float c = 2.443315711809948e-5f;
  c = c * z - 1.388731625493765e-3f;
  c = c * z + 4.166664568298827e-2f;
  c = (c * z * z - 0.5f * z) + 1.0f;
  const std::int32_t q = static_cast<std::int32_t>(quarter) & 3;
  const float a = (q & 1) != 0 ? c : s;
  const float b = (q & 1) != 0 ? s : c;
  return {(q & 2) != 0 ? -a : a, q == 1 || q == 2 ? -b : b};
}

/// e^x in double, within 4 units in the last place and with the same bits everywhere, which the C
/// library's is not; 0 below -708.
constexpr double portable_exp(double x) {
  if (!(x > -708)) return x != x ? x : 0;
  const double clamped = x > 709 ? 709 : x;
  // Adding and subtracting 1.5 * 2^52 rounds to the nearest integer.
  const double n = (clamped * 1.44269504088896340736 + 0x1.8p52) - 0x1.8p52;
  const double r = (clamped - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6;
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = sum * r / k + 1;
  return sum * std::bit_cast<double>((static_cast<std::int64_t>(n) + 1023) << 52);
}

/// The natural logarithm in double of a positive normal number, within 4 units in the last place
/// (near 1: 2^-52) and with the same bits everywhere; -infinity for 0, NaN below.
constexpr double portable_log(double x) {
  const auto infinity = std::bit_cast<double>(std::int64_t{0x7ff} << 52);
  if (!(x > 0)) return x == 0 ? -infinity : infinity - infinity;
  if (x == infinity) return x;
  const auto bits = std::bit_cast<std::int64_t>(x);
  auto exponent = static_cast<double>((bits >> 52) - 1023);
  auto mantissa = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);  // [1, 2)
  if (mantissa > 1.41421356237309504880) {
    mantissa /= 2;
    exponent += 1;
  }
  // log m = 2 artanh((m - 1) / (m + 1)), whose series ends where z^12 / 25 is below 2^-64.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double z = s * s;
  double sum = 0;
  for (int k = 25; k > 0; k -= 2) sum = sum * z + 1.0 / k;
  return exponent * 6.93145751953125e-1 + (exponent * 1.42860682030941723212e-6 + 2 * s * sum);
}

inline double exp(double x) {
  return std::exp(x);
}
inline double log(double x) {
  return std::log(x);
}
inline double tanh(double x) {
  return std::tanh(x);
}
inline double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
inline double softplus(double x) {
  return (x > 0 ? x : 0) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace lipizz::math
