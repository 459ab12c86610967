#include "metrics/shipped_judges.hpp"

#include <vector>

// A file, whole, between two names. judge_files.inc, which CMake writes, has a LIPIZZ_JUDGE(name,
// file) for each file in the folder judges.
#define LIPIZZ_JUDGE(name, file)                                         \
  asm(".pushsection .rodata\n"                                           \
      ".balign 16\n" #name                                               \
      "_begin:\n"                                                        \
      ".incbin \"" file "\"\n" #name                                     \
      "_end:\n"                                                          \
      ".popsection\n");                                                  \
  extern "C" [[gnu::visibility("hidden")]] const std::byte name##_begin; \
  extern "C" [[gnu::visibility("hidden")]] const std::byte name##_end;
#include "metrics/judge_files.inc"
#undef LIPIZZ_JUDGE

namespace lipizz::metrics {

std::span<const std::span<const std::byte>> shipped_judges() {
#define LIPIZZ_JUDGE(name, file) std::span<const std::byte>(&name##_begin, &name##_end),
  static const std::vector<std::span<const std::byte>> kJudges{
#include "metrics/judge_files.inc"
  };
#undef LIPIZZ_JUDGE
  return kJudges;
}

}  // namespace lipizz::metrics
