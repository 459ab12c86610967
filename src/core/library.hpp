#pragma once

#include <string>

namespace lipizz {

/// A library that this program runs with, and the version that it says of itself.
struct Library {
  std::string name;
  std::string version;

  bool operator==(const Library&) const = default;
};

}  // namespace lipizz
