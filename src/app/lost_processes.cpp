#include "app/lost_processes.hpp"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace lipizz::app {
namespace {

// The fourth field of /proc/PID/stat; the second, the program's name, ends with the last bracket.
pid_t parent_of(const std::string& process) {
  std::ifstream stat(process + "/stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= line.size()) return -1;
  return static_cast<pid_t>(std::atoi(line.c_str() + name_end + 4));
}

bool is_sibling(const std::string& process) {
  std::error_code gone;
  return parent_of(process) == getppid() &&
         std::filesystem::equivalent(process + "/exe", "/proc/self/exe", gone) && !gone;
}

}  // namespace

void end_lost_siblings(std::span<const std::uint32_t> pids) {
  for (const std::uint32_t pid : pids) {
    if (is_sibling("/proc/" + std::to_string(pid))) kill(static_cast<pid_t>(pid), SIGKILL);
  }
}

}  // namespace lipizz::app
