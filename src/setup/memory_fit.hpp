#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::setup {

/// The memory that ranks of a host will need beside what they hold already, and what the limit that
/// they share leaves them.
struct MemoryFit {
  std::string host;
  std::size_t n_workers = 0;  // that host cells
  std::size_t n_cells = 0;    // of them
  std::uint64_t needed_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::string limit;  // its name

  /// How many times as much is needed as there is.
  [[nodiscard]] double shortage() const;
  /// True where they would go beyond it even where the estimate is as much too high as it ever was.
  [[nodiscard]] bool is_too_little() const;
};

/// For each host with cells of which limits are known, that of them of which the most is needed.
/// Programs on a GPU are left out, and so is the dataset in processes that do not open it.
/// `inventory` is by rank.
std::vector<MemoryFit> memory_fits(const MemoryEstimate& estimate,
                                   std::span<const comm::InventoryEntry> inventory);

/// ConfigError with the figures of the host that lacks most, unless there is enough everywhere.
void check_memory(std::span<const MemoryFit> fits);

/// `731.4 MB`, `144.0 GB`, `110.5 TB`
std::string bytes_text(std::uint64_t n_bytes);

}  // namespace lipizz::setup
