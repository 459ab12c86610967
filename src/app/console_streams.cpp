#include "app/console_streams.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "app/patient_output.hpp"
#include "app/terminal.hpp"

namespace lipizz::app {

void print_now(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

master::Console::Streams console_streams(bool is_quiet) {
  const auto screen = std::make_shared<Terminal>();
  master::Console::Streams streams{.screen = screen, .errors = {}, .is_quiet = is_quiet};
  // Warnings would be drawn over where they came from elsewhere.
  const bool come_above_the_view =
      !is_quiet && screen->is_terminal() && errors_come_to_a_terminal();
  if (come_above_the_view) return streams;
  streams.errors = [errors = std::make_shared<PatientOutput>(STDERR_FILENO)](
                       const std::string& line) { errors->write(line + "\n"); };
  return streams;
}

}  // namespace lipizz::app
