#include "nn/cpu/numerics.hpp"

#include <string>

#include "core/error.hpp"
#include "core/time_slice.hpp"
#include "nn/cpu/onednn_engine.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace lipizz::nn {

bool is_available(Backend backend) {
  return backend == Backend::kReference || has_onednn();
}

NumericsLevel detect_numerics_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return NumericsLevel::kAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return NumericsLevel::kAvx2;
#endif
  return NumericsLevel::kBaseline;
}

NumericsLevel highest_level(Backend backend) {
  return backend == Backend::kReference ? NumericsLevel::kBaseline : detect_numerics_level();
}

void fix_numerics(Engine engine) {
  if (!is_available(engine.backend)) {
    throw ConfigError("this build has no " + std::string(to_string(engine.backend)) +
                      "; use engine reference, or build with oneDNN");
  }
  const NumericsLevel highest = highest_level(engine.backend);
  if (engine.level > highest) {
    throw ConfigError("numerics level " + std::string(to_string(engine.level)) +
                      " is asked for; here engine " + std::string(to_string(engine.backend)) +
                      " computes at most at " + std::string(to_string(highest)));
  }
  if (engine.backend == Backend::kReference) return;
  cap_onednn(engine.level);
}

void prepare_compute_thread() {
#if defined(__SSE__)
  constexpr unsigned kFlushToZeroAndDenormalsAreZero = 0x8040;
  _mm_setcsr(_mm_getcsr() | kFlushToZeroAndDenormalsAreZero);
#endif
  use_one_onednn_thread();
  prefer_long_time_slices();
}

}  // namespace lipizz::nn
