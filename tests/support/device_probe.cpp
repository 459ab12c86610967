// Runs a program if there is a GPU; else says why there is none and ends with 77, as skipped tests
// do. With 1 where there may well be one and what drives it does not load: that is no reason to
// skip.
#include <unistd.h>

#include <cstdio>

#include "core/error.hpp"
#include "nn/exec/devices.hpp"

namespace {

int probe() {
  constexpr int kSkipped = 77;
  try {
    const std::string missing = lipizz::nn::why_no_gpu();
    if (missing.empty()) return 0;
    std::printf("skipped: %s\n", missing.c_str());
    return kSkipped;
  } catch (const lipizz::ConfigError& fault) {
    std::printf("failed: %s\n", fault.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (const int code = probe(); code != 0) return code;
  if (argc > 1) execv(argv[1], argv + 1);
  std::perror("device_probe");
  return 1;
}
