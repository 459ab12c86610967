#include <malloc.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/run_training.hpp"
#include "core/error.hpp"

namespace {

// Publications are megabytes each and live for a moment. The C library would keep their memory for
// the next ones once it has seen a few; at many ranks to a node that adds up.
void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  give_large_blocks_back();
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  lipizz::ExitCode code = lipizz::ExitCode::kInternal;
  std::string message;
  try {
    return lipizz::app::run(arguments, lipizz::app::run_training, std::cout);
  } catch (const lipizz::Error& error) {
    code = error.code();
    message = error.what();
  } catch (const std::exception& error) {
    message = std::string(error.what()) + " (please report this)";
  }
  std::fprintf(stderr, "lipizz: %s\n", message.c_str());
  return static_cast<int>(code);
}
