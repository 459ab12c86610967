#pragma once

#include <string>

#include "master/console.hpp"

namespace lipizz::app {

/// Writes to the standard output at once.
void print_now(const std::string& text);

/// The streams of this process, for rank 0's console.
master::Console::Streams console_streams(bool is_quiet);

}  // namespace lipizz::app
