#include "nn/cpu/numerics.hpp"

#include <string>

#include "core/error.hpp"
#include "core/time_slice.hpp"
#include "nn/cpu/avx512_bf16.hpp"
#include "nn/cpu/onednn_engine.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace lipizz::nn {

bool is_available(Backend backend) {
  return backend == Backend::kReference || has_onednn();
}

Backend fastest_backend() {
  return is_available(Backend::kOneDnn) ? Backend::kOneDnn : Backend::kReference;
}

namespace {

#if defined(__x86_64__)
// True when the processor multiplies tiles in bf16, and the system saves them for its threads.
bool has_amx() {
  constexpr unsigned kFeatures = 7;
  constexpr unsigned kAmxBf16 = 1U << 22;
  constexpr unsigned kOsXsave = 1U << 27;
  constexpr unsigned kTiles = 3U << 17;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & kAmxBf16) == 0) {
    return false;
  }
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kOsXsave) == 0) return false;
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return (eax & kTiles) == kTiles;
}

NumericsLevel highest_with_avx512(Precision precision) {
  if (precision != Precision::kBf16) return NumericsLevel::kAvx512;
  if (has_amx()) return NumericsLevel::kAmx;
#if defined(LIPIZZ_AVX512_BF16)
  if (__builtin_cpu_supports("avx512bf16") != 0) return NumericsLevel::kAvx512Bf16;
#endif
  return NumericsLevel::kAvx512;
}
#endif

}  // namespace

NumericsLevel detect_numerics_level([[maybe_unused]] Precision precision) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return highest_with_avx512(precision);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return NumericsLevel::kAvx2;
#endif
  return NumericsLevel::kBaseline;
}

NumericsLevel highest_level(Backend backend, Precision precision) {
  return backend == Backend::kReference ? NumericsLevel::kBaseline
                                        : detect_numerics_level(precision);
}

Engine fastest_engine(Precision precision) {
  return {.backend = fastest_backend(),
          .level = highest_level(fastest_backend(), precision),
          .precision = precision};
}

namespace {

#if defined(__SSE__)
constexpr unsigned kFlushToZeroAndDenormalsAreZero = 0x8040;
unsigned control_word() {
  return _mm_getcsr();
}
void set_control_word(unsigned word) {
  _mm_setcsr(word);
}
#else
constexpr unsigned kFlushToZeroAndDenormalsAreZero = 0;
unsigned control_word() {
  return 0;
}
void set_control_word(unsigned) {}
#endif

}  // namespace

void check_bf16(const Engine& engine) {
  if (engine.precision != Precision::kBf16) return;
  if (!has_bf16(highest_level(engine.backend, engine.precision))) {
    throw ConfigError("precision: bf16 is asked for, which " +
                      std::string(engine.backend == Backend::kOneDnn
                                      ? "this processor does not multiply in (it has neither AMX "
                                        "nor AVX-512's instructions for bf16)"
                                      : "engine reference does not compute in") +
                      "; choose f32");
  }
  if (!has_bf16(engine.level)) {
    throw ConfigError("precision: bf16 needs numerics avx512_bf16 or amx, found " +
                      std::string(to_string(engine.level)));
  }
}

DenormalsKept::DenormalsKept() : before_(control_word()) {
  set_control_word(before_ & ~kFlushToZeroAndDenormalsAreZero);
}

DenormalsKept::~DenormalsKept() {
  set_control_word(before_);
}

void fix_numerics(Engine engine) {
  if (!is_available(engine.backend)) {
    throw ConfigError("this build has no " + std::string(to_string(engine.backend)) +
                      "; use engine reference, or build with oneDNN");
  }
  const NumericsLevel highest = highest_level(engine.backend, engine.precision);
  if (engine.level > highest) {
    throw ConfigError("numerics level " + std::string(to_string(engine.level)) +
                      " is asked for; here engine " + std::string(to_string(engine.backend)) +
                      " computes at most at " + std::string(to_string(highest)));
  }
  check_bf16(engine);
  if (engine.backend == Backend::kReference) return;
  cap_onednn(engine.level);
}

void prepare_compute_thread() {
  set_control_word(control_word() | kFlushToZeroAndDenormalsAreZero);
  use_one_onednn_thread();
  prefer_long_time_slices();
}

}  // namespace lipizz::nn
