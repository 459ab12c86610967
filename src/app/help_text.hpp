#pragma once

#include <string>

namespace lipizz::app {

/// The text that --help prints.
std::string help_text();

}  // namespace lipizz::app
