#pragma once

#include <cstdint>
#include <string>

namespace lipizz {

/// The name of this host, as gethostname(2) has it, with its domain where it is configured so.
std::string host_name();

/// Bytes of this host's memory, in use or not.
std::uint64_t host_memory_bytes();

/// Cores of this host, whoever may use them.
std::uint32_t host_cores();

/// Threads of this host that ran, were ready to or waited for a disk, on average over the last
/// minute; 0 where the system does not tell.
double host_load();

/// The folder that TMPDIR names, or /tmp; nobody has looked whether it is there.
std::string temporary_folder();

}  // namespace lipizz
