#pragma once

#include <cstdint>
#include <string>

namespace lipizz {

/// The name of this host, as gethostname(2) has it, with its domain where it is configured so.
std::string host_name();

/// Bytes of this host's memory, in use or not.
std::uint64_t host_memory_bytes();

}  // namespace lipizz
