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

// Publications and states are megabytes each and live for a moment. Their memory is kept for the
// next ones, since a page that comes from the system again costs more than what is written to it;
// but not all of it, since at many ranks to a node it adds up. One arena for all threads: the
// communication thread takes memory that the training thread gives back.
void keep_some_memory() {
#ifdef __GLIBC__
  constexpr int kMostKept = 32 << 20;  // of a block; larger ones cannot be kept
  constexpr int kMostIdle = 8 << 20;   // at the end of the heap
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, kMostKept);
  mallopt(M_TRIM_THRESHOLD, kMostIdle);
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
  keep_some_memory();
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
