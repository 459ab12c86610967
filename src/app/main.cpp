#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.hpp"
#include "app/run_training.hpp"
#include "core/diagnosis.hpp"

namespace {

// Publications are megabytes each and live for a moment. The C library would keep their memory for
// the next ones once it has seen a few; at many ranks to a node that adds up.
void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int kLarge = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

// Where an exception finds nobody: in a thread that only stands by, or where there is not even the
// memory to say what is wrong. A refused allocation ends the process as it does elsewhere.
[[noreturn]] void end_without_a_word_from_elsewhere() {
  try {
    if (const std::exception_ptr failure = std::current_exception()) {
      std::rethrow_exception(failure);
    }
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kText = "lipizz: out of memory\n";
    static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
    _exit(static_cast<int>(lipizz::ExitCode::kUsage));
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  give_large_blocks_back();
  std::set_terminate(end_without_a_word_from_elsewhere);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  lipizz::Diagnosis diagnosis;
  try {
    return lipizz::app::run(arguments, lipizz::app::run_training, std::cout);
  } catch (const std::exception& error) {
    diagnosis = lipizz::diagnosis_of(error);
  }
  std::fprintf(stderr, "lipizz: %s\n", diagnosis.message.c_str());
  return static_cast<int>(diagnosis.code);
}
