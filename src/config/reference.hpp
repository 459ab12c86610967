#pragma once

#include <string>

namespace lipizz::config {

/// docs/configuration.md: every setting with its default, its range and what it does.
std::string reference_page();

}  // namespace lipizz::config
