#include "app/lost_processes.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace lipizz::app {
namespace {

constexpr auto kPauseOfLook = std::chrono::milliseconds(20);

// The fourth field of /proc/PID/stat; the second, the program's name, ends with the last bracket.
pid_t parent_of(const std::string& process) {
  std::ifstream stat(process + "/stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= line.size()) return -1;
  return static_cast<pid_t>(std::atoi(line.c_str() + name_end + 4));
}

bool runs_this_program(const std::string& process) {
  std::error_code gone;
  return std::filesystem::equivalent(process + "/exe", "/proc/self/exe", gone) && !gone;
}

bool is_sibling(const std::string& process) {
  return parent_of(process) == getppid() && runs_this_program(process);
}

bool has_in_environment(const std::string& process, const std::string& mark) {
  std::ifstream environment(process + "/environ");
  for (std::string entry; std::getline(environment, entry, '\0');) {
    if (entry == mark) return true;
  }
  return false;
}

}  // namespace

void end_lost_siblings(std::span<const std::uint32_t> pids) {
  for (const std::uint32_t pid : pids) {
    if (is_sibling("/proc/" + std::to_string(pid))) kill(static_cast<pid_t>(pid), SIGKILL);
  }
}

Orphans::Orphans(std::string mark, Seconds for_ranks, Seconds for_others)
    : mark_(std::move(mark)), for_ranks_(for_ranks), for_others_(for_others) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Orphans::~Orphans() {
  end();
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

void Orphans::end() const {
  const auto begin = std::chrono::steady_clock::now();
  const auto end_all = [&](Kind kind, Seconds patience, int signal) {
    while (!found(kind).empty() && std::chrono::steady_clock::now() - begin < patience) {
      std::this_thread::sleep_for(kPauseOfLook);
    }
    for (const pid_t pid : found(kind)) kill(pid, signal);
  };
  end_all(Kind::kRank, for_ranks_, SIGKILL);
  end_all(Kind::kOther, for_others_, SIGTERM);
}

// Those that have ended are let go; the others are looked for.
std::vector<pid_t> Orphans::found(Kind kind) const {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::vector<pid_t> pids;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", unreadable)) {
    const std::string process = entry.path().string();
    const auto pid = parse_number<pid_t>(entry.path().filename().string());
    if (pid && parent_of(process) == getpid() && has_in_environment(process, mark_) &&
        runs_this_program(process) == (kind == Kind::kRank)) {
      pids.push_back(*pid);
    }
  }
  return pids;
}

}  // namespace lipizz::app
