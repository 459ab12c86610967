#pragma once

#include <string>
#include <vector>

#include "comm/setup_messages.hpp"

namespace lipizz::setup {

/// Entries of ranks that agree, the master's first; each host has 4 cores and 8 GB.
inline comm::InventoryEntry entry_on(const std::string& host) {
  comm::InventoryEntry entry;
  entry.host = host;
  entry.cores.n = 4;
  entry.memory.bytes = 8'000'000'000;
  entry.program.version = "1.0";
  entry.engine = "onednn";
  entry.numerics_levels = {"baseline", "avx2"};
  return entry;
}

inline std::vector<comm::InventoryEntry> entries_on(std::vector<std::string> hosts) {
  std::vector<comm::InventoryEntry> entries;
  for (const std::string& host : hosts) entries.push_back(entry_on(host));
  return entries;
}

}  // namespace lipizz::setup
