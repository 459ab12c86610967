#pragma once

#include <fmt/format.h>

#include <string>

#include "app/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {

/// The whole number that an option was given. ConfigError naming the option.
template <class Number>
Number whole_number(std::string_view option, const std::string& text, Number least, Number most) {
  const auto number = parse_number<Number>(text);
  if (number && *number >= least && *number <= most) return *number;
  throw ConfigError(fmt::format("--{}: expected a whole number from {} to {}, found \"{}\"", option,
                                least, most, shortened(text)));
}

/// Leaves `value` as it is where the option was not given.
template <class Number>
void read_number(const CommandLine& line, const char* option, Number least, Number most,
                 Number& value) {
  if (line.given.has(option)) {
    value = whole_number(option, line.given.text(option), least, most);
  }
}

}  // namespace lipizz::app
