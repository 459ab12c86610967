#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>

namespace lipizz {

/// Runs a command of the shell: its status (0 where all went well) and what it printed.
struct CommandResult {
  explicit CommandResult(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
      output += static_cast<char>(c);
    }
    status = ::pclose(pipe);
  }
  std::string output;
  int status = 0;
};

}  // namespace lipizz
