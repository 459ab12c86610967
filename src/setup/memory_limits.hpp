#pragma once

#include <filesystem>
#include <vector>

#include "comm/setup_messages.hpp"

namespace lipizz::setup {

/// Tells what this process can still get of memory before something refuses it or ends it, by each
/// limit that there is: the memory of the host that is free or can be made free, swap included;
/// that of its control groups (versions 1 and 2) and of those around them; its address space
/// (`ulimit -v`, which Grid Engine's h_vmem sets too); and what a kernel that promises no more than
/// it has (vm.overcommit_memory 2) still promises.
///
/// A limit that cannot be read is none. `root` is where the system's files lie: another folder in
/// tests.
std::vector<comm::MemoryLimit> memory_limits(const std::filesystem::path& root = "/");

}  // namespace lipizz::setup
