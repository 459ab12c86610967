#pragma once

#include <string>

namespace lipizz::config {

/// docs/configuration.md: every setting with its default, its range and what it does.
std::string reference_page();

/// The same as plain lines `generator.loss = "bce"  What it minimises.`, for --help.
std::string reference_lines();

}  // namespace lipizz::config
