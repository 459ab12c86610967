#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "comm/setup_messages.hpp"

namespace lipizz::setup {

/// Tells what the control group of this process, and each around it, leaves of memory: its limit,
/// without what is in use but could be given back (files' pages), and with as much swap as it and
/// the host allow. Versions 1 and 2 (docs.kernel.org, admin-guide/cgroup-v1/memory and cgroup-v2).
/// Groups without a limit are left out. `root` as in setup/memory_limits.hpp.
std::vector<comm::MemoryLimit> limits_of_control_groups(const std::filesystem::path& root,
                                                        std::uint64_t free_swap_bytes);

/// How many processors' time the narrowest of these groups allows this process at once (`cpu.max`,
/// in version 1 `cpu.cfs_quota_us`), 2.5 for one; nothing where none has a limit.
std::optional<double> processors_of_control_groups(const std::filesystem::path& root = "/");

}  // namespace lipizz::setup
