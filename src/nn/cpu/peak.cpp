#include "nn/cpu/peak.hpp"

#include <array>

#include "core/clock.hpp"
#include "nn/cpu/avx512_bf16.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lipizz::nn {
namespace {

constexpr int kChains = 12;  // enough to hide the latency of a fused multiply-add
constexpr int kBf16Chains = 20;
constexpr long kRounds = 400'000;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float multiply_add_512() {
  __m512 a[kChains];
  for (int i = 0; i < kChains; ++i) a[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 x = _mm512_set1_ps(0.999f);
  for (long round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) a[i] = _mm512_fmadd_ps(a[i], x, x);
  }
  float sum = 0;
  for (const __m512 v : a) sum += _mm512_cvtss_f32(v);
  return sum;
}

#if defined(LIPIZZ_AVX512_BF16)
// Each lane takes two products.
LIPIZZ_AVX512_BF16 float multiply_add_bf16() {
  __m512 a[kBf16Chains];
  for (int i = 0; i < kBf16Chains; ++i) a[i] = _mm512_set1_ps(static_cast<float>(i));
  const auto x = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3dcd3dcd));  // 0.1 and 0.1
  for (long round = 0; round < kRounds; ++round) {
#pragma GCC unroll 20
    for (int i = 0; i < kBf16Chains; ++i) a[i] = _mm512_dpbf16_ps(a[i], x, x);
  }
  float sum = 0;
  for (const __m512 v : a) sum += _mm512_cvtss_f32(v);
  return sum;
}
#endif

__attribute__((target("avx2,fma"))) float multiply_add_256() {
  __m256 a[kChains];
  for (int i = 0; i < kChains; ++i) a[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 x = _mm256_set1_ps(0.999f);
  for (long round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) a[i] = _mm256_fmadd_ps(a[i], x, x);
  }
  float sum = 0;
  for (const __m256& v : a) sum += _mm256_cvtss_f32(v);
  return sum;
}
#endif

float multiply_add_scalar() {
  std::array<float, kChains> a{};
  for (long round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kChains; ++i) a[i] = a[i] * 0.999f + 0.999f;
  }
  float sum = 0;
  for (const float v : a) sum += v;
  return sum;
}

struct Probe {
  const char* name;
  float (*run)();
  int n_products;  // of one round
};

Probe widest([[maybe_unused]] Precision precision) {
#if defined(__x86_64__)
#if defined(LIPIZZ_AVX512_BF16)
  if (precision == Precision::kBf16 && __builtin_cpu_supports("avx512bf16")) {
    return {"avx512_bf16", multiply_add_bf16, 32 * kBf16Chains};
  }
#endif
  if (__builtin_cpu_supports("avx512f")) return {"avx512", multiply_add_512, 16 * kChains};
  if (__builtin_cpu_supports("avx2")) return {"avx2", multiply_add_256, 8 * kChains};
#endif
  return {"baseline", multiply_add_scalar, kChains};
}

}  // namespace

double peak_flops_per_s(Precision precision) {
  const Probe probe = widest(precision);
  const double begin = thread_cpu_s();
  volatile float sink = probe.run();
  static_cast<void>(sink);
  return 2.0 * probe.n_products * kRounds / (thread_cpu_s() - begin);
}

const char* peak_name(Precision precision) {
  return widest(precision).name;
}

}  // namespace lipizz::nn
