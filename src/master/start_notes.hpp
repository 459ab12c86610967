#pragma once

#include <string>
#include <vector>

namespace lipizz::master {

/// Told by the set-up of a run, for its log and the console.
struct StartNotes {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
};

}  // namespace lipizz::master
