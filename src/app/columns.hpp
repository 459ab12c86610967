#pragma once

#include <span>
#include <string>

#include "setup/registries.hpp"

namespace lipizz::app {

/// A line for each entry, `indent` before it: its name, and its summary two spaces behind the
/// longest of the names.
std::string columns(std::span<const setup::Entry> entries, const std::string& indent = "");

}  // namespace lipizz::app
