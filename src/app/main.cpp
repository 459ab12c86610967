#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/run_training.hpp"
#include "core/diagnosis.hpp"

namespace {

// The communication thread takes memory that the training thread gives back. Large blocks lie
// elsewhere (core/block_cache.hpp).
void share_one_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
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
    // In one piece, and without asking for memory.
    char text[512];
    const int n =
        std::snprintf(text, sizeof text, "lipizz: out of memory: none is left to say for what%s\n",
                      lipizz::kMemoryRemedy);
    static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(n)));
    _exit(static_cast<int>(lipizz::ExitCode::kUsage));
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  share_one_heap();
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
