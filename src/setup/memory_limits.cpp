#include "setup/memory_limits.hpp"

#include <unistd.h>

#include <cstdint>
#include <optional>

#include "setup/control_groups.hpp"
#include "setup/system_file.hpp"

namespace lipizz::setup {
namespace {

namespace fs = std::filesystem;
using comm::MemoryLimit;

std::optional<std::uint64_t> free_on_host(const SystemFile& memory) {
  const auto available = memory.kilobytes_of("MemAvailable:");
  if (!available) return std::nullopt;
  return *available + memory.kilobytes_of("SwapFree:").value_or(0);
}

std::optional<std::uint64_t> free_address_space(const fs::path& self) {
  const auto most = SystemFile(self / "limits").number_of("Max address space");
  const auto used = SystemFile(self / "status").kilobytes_of("VmSize:");
  if (!most || !used) return std::nullopt;
  return less(*most, *used);
}

std::optional<std::uint64_t> free_promises(const fs::path& proc, const SystemFile& memory) {
  constexpr std::uint64_t kNoMoreThanThereIs = 2;
  if (SystemFile(proc / "sys/vm/overcommit_memory").number_of("") != kNoMoreThanThereIs) return {};
  const auto most = memory.kilobytes_of("CommitLimit:");
  const auto used = memory.kilobytes_of("Committed_AS:");
  if (!most || !used) return std::nullopt;
  return less(*most, *used);
}

}  // namespace

std::vector<MemoryLimit> memory_limits(const fs::path& root) {
  const fs::path proc = root / "proc";
  const SystemFile memory(proc / "meminfo");
  std::vector<MemoryLimit> limits =
      limits_of_control_groups(root, memory.kilobytes_of("SwapFree:").value_or(0));
  const auto add = [&](const char* name, std::optional<std::uint64_t> free_bytes,
                       std::uint64_t shared_by, bool counts_files = false) {
    if (free_bytes) limits.push_back({name, *free_bytes, shared_by, counts_files});
  };
  add("the memory of the host", free_on_host(memory), 0);
  add("what the kernel promises (vm.overcommit_memory is 2)", free_promises(proc, memory), 0);
  add("the address space of a process (ulimit -v, or h_vmem of Grid Engine)",
      free_address_space(proc / "self"), static_cast<std::uint64_t>(getpid()), true);
  return limits;
}

}  // namespace lipizz::setup
