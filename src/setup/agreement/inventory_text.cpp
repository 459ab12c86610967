#include "setup/agreement/inventory_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/text.hpp"

namespace lipizz::setup {
namespace {

using comm::InventoryEntry;
using Entries = std::span<const InventoryEntry>;

std::string speed_text(const std::optional<Speed>& speed) {
  if (!speed) return "";
  return fmt::format(" (a batch: {:.3g} ms, and {:.3g} for each cell)", 1e3 * speed->fixed_s,
                     1e3 * speed->per_cell_s);
}

std::string cells_text(Rank rank, Rank worker, const std::vector<CellId>& cells) {
  if (rank != worker) return fmt::format("helps rank {}", worker.value);
  if (cells.empty()) return "a spare";
  if (cells.size() == 1) return fmt::format("hosts cell {}", cells.front().value);
  return fmt::format("hosts cells {}-{}", cells.front().value, cells.back().value);
}

// `8 GB`, or `8 GB, of which 3 can still be had`: what counts as free may be more than there is,
// where there is swap.
std::string memory_text(const InventoryEntry::Memory& memory) {
  const double total = static_cast<double>(memory.bytes) / 1e9;
  if (memory.limits.empty()) return fmt::format("{:.0f} GB", total);
  const auto least = std::ranges::min_element(memory.limits, {}, &comm::MemoryLimit::free_bytes);
  return fmt::format("{:.0f} GB, of which {:.0f} can still be had", total,
                     std::min(total, static_cast<double>(least->free_bytes) / 1e9));
}

}  // namespace

std::string name_of(Entries entries, std::size_t rank) {
  return fmt::format("rank {} on {}", rank, entries[rank].host);
}

std::vector<std::string> inventory_lines(Entries entries, const comm::RunPlan& run_plan) {
  std::vector<std::string> lines;
  const auto cells = comm::cells_by_rank(run_plan.rank_of_cell, entries.size());
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    const InventoryEntry& entry = entries[rank];
    const Rank self{static_cast<int>(rank)};
    const Rank worker = rank == 0 ? self : worker_of(self, run_plan.ranks_per_cell);
    lines.push_back(fmt::format(
        "{}: {}, load {:.1f}, {}, {}, {}", name_of(entries, rank), counted(entry.cores.n, "core"),
        entry.load, memory_text(entry.memory),
        entry.devices.empty() ? "no accelerator" : join(entry.devices),
        rank == 0 ? "the master"
                  : "computes with " + run_plan.devices[rank] + speed_text(entry.speed) + ", " +
                        cells_text(self, worker, cells[rank])));
  }
  return lines;
}

std::string core_warning(Entries entries, std::uint32_t threads_per_worker) {
  const auto workers = entries.subspan(1);
  const auto has_too_few = [&](const InventoryEntry& e) { return e.cores.n < threads_per_worker; };
  const auto first = std::ranges::find_if(workers, has_too_few);
  if (first == workers.end()) return "";
  const auto rank = static_cast<std::size_t>(first - workers.begin()) + 1;
  return fmt::format(
      "{} may use {} of its host for {} threads; choose fewer threads_per_worker, or `mpirun "
      "--bind-to none` where ranks are bound to cores",
      name_of(entries, rank), counted(first->cores.n, "core"), threads_per_worker);
}

}  // namespace lipizz::setup
