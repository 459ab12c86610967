#pragma once

#include <span>
#include <string>

namespace lipizz::app {

/// The text that `lipizz` alone prints: the program in a sentence, and how to begin.
std::string introduction();

/// The text of `--help` and `lipizz help WORDS`: about the command that the words begin with, or
/// about all whose first word they are; without words about the whole program. ConfigError naming
/// the nearest when there is no such command.
std::string help_text(std::span<const std::string> words);

}  // namespace lipizz::app
