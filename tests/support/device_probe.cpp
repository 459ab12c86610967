// Runs a program if there is a GPU; else says why there is none and ends with 77, as skipped tests
// do.
#include <unistd.h>

#include <cstdio>

#include "nn/exec/devices.hpp"

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  const std::string missing = lipizz::nn::why_no_gpu();
  if (!missing.empty()) {
    std::printf("skipped: %s\n", missing.c_str());
    return kSkipped;
  }
  if (argc > 1) execv(argv[1], argv + 1);
  std::perror("device_probe");
  return 1;
}
