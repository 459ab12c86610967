#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lipizz::sweep {

/// A process that can be told from every other one, of all times and hosts.
struct ProcessIdentity {
  std::string host;           // its name, for people
  std::string boot;           // of the kernel's start, by a name that no other start has
  std::string pid_namespace;  // in which the number counts; containers have their own
  std::uint32_t pid = 0;
  std::uint64_t start = 0;  // when it began, in ticks of this kernel
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

/// True when the process is still there; nothing where only another kernel, or another container,
/// could tell.
std::optional<bool> is_alive(const ProcessIdentity& process);

/// When a process began, from the text of /proc/PID/stat; nothing where it says something else, or
/// that the process has ended.
std::optional<std::uint64_t> start_in(std::string_view stat);

}  // namespace lipizz::sweep
