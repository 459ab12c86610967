#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace lipizz::testing {

/// The text that /proc/self/smaps (proc(5)) has behind `name` and a colon of the mapping that the
/// address lies in; "" where it has none.
inline std::string smaps_field(const void* address, const std::string& name) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_there = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    char dash = 0;
    if (std::istringstream words(line); words >> std::hex >> first >> dash >> end && dash == '-') {
      is_there = first <= wanted && wanted < end;
    } else if (is_there && line.starts_with(name + ":")) {
      return line.substr(name.size() + 1);
    }
  }
  return "";
}

}  // namespace lipizz::testing
