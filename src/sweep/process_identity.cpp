#include "sweep/process_identity.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "core/host.hpp"
#include "core/text.hpp"

namespace lipizz::sweep {
namespace {

std::string content_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string boot() {
  std::string id = content_of("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

std::string pid_namespace() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

std::optional<std::uint64_t> start_of(std::uint32_t pid) {
  return start_in(content_of("/proc/" + std::to_string(pid) + "/stat"));
}

}  // namespace

// Its second field, the program's name in parentheses, may hold anything, parentheses too.
std::optional<std::uint64_t> start_in(std::string_view stat) {
  constexpr std::size_t kState = 1;   // behind the name
  constexpr std::size_t kStart = 20;  // field 22 of all
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> fields = split(stat.substr(name_end + 1), ' ');
  if (fields.size() <= kStart) return std::nullopt;
  // A zombie has let go of everything but its number.
  if (fields[kState] == "Z" || fields[kState] == "X") return std::nullopt;
  return parse_number<std::uint64_t>(fields[kStart]);
}

ProcessIdentity this_process() {
  const auto pid = static_cast<std::uint32_t>(::getpid());
  return {.host = host_name(),
          .boot = boot(),
          .pid_namespace = pid_namespace(),
          .pid = pid,
          .start = start_of(pid).value_or(0)};
}

std::optional<bool> is_alive(const ProcessIdentity& process) {
  const std::string here = boot();
  if (here.empty() || process.boot != here || process.pid_namespace != pid_namespace()) {
    return std::nullopt;
  }
  return start_of(process.pid) == process.start;
}

}  // namespace lipizz::sweep
