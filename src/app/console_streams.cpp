#include "app/console_streams.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "comm/mpi_session.hpp"

namespace lipizz::app {
namespace {

// mpirun gives every rank a terminal of its own making; what counts is where mpirun itself writes.
bool writes_to_a_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return false;
  if (!comm::started_by_launcher()) return true;
  std::error_code failure;
  const std::string out =
      std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", failure);
  return out.starts_with("/dev/pts/") || out.starts_with("/dev/tty");
}

}  // namespace

void print_now(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

master::Console::Streams console_streams(bool is_quiet) {
  return {.out = print_now,
          .errors = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); },
          .is_terminal = writes_to_a_terminal(),
          .is_quiet = is_quiet};
}

}  // namespace lipizz::app
