#include "app/command_output.hpp"

#include <array>
#include <cstdio>
#include <memory>

namespace lipizz::app {

std::string output_of_command(const std::string& command) {
  const auto close = [](std::FILE* pipe) { ::pclose(pipe); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(
      ::popen((command + " 2>/dev/null").c_str(), "re"), close);
  if (!pipe) return {};
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), n);
  }
  return text;
}

}  // namespace lipizz::app
