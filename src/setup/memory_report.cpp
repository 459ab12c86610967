#include "setup/memory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "core/text.hpp"
#include "setup/memory_fit.hpp"

namespace lipizz::setup {
namespace {

// These were measured in a run that trains next to nothing: the libraries, which the processes of a
// host share, and what each process has for itself.
constexpr std::size_t kLibraryBytes = 13'000'000;
constexpr std::size_t kProcessBytes = 4'000'000;

std::string disk_text(std::size_t n_bytes) {
  return n_bytes == 0 ? "" : fmt::format(", and {} on disk", bytes_text(n_bytes));
}

std::string line_of(const HostingWorker& worker, std::string_view holds) {
  const WorkerMemory& m = worker.memory;
  return fmt::format(
      "memory: rank {} {}: {}, of which {} {}, neighbours {}, messages {}, programs {}, samples "
      "{}{}\n",
      worker.rank.value, holds, bytes_text(m.total()),
      worker.n_cells > 0 ? counted(worker.n_cells, "cell") : "networks", bytes_text(m.cells),
      bytes_text(m.neighbours), bytes_text(m.messages), bytes_text(m.programs),
      bytes_text(m.samples), disk_text(m.on_disk));
}

// Tells of the rank that holds most, and of those that train the same cells. A worker comes before
// its helpers.
std::string lines_of_ranks(std::span<const HostingWorker> workers) {
  const auto hosts_cells = [](const HostingWorker& worker) { return worker.n_cells > 0; };
  const auto most = std::ranges::max_element(
      workers, {}, [](const HostingWorker& worker) { return worker.memory.total(); });
  auto first = most;
  while (first != workers.begin() && !hosts_cells(*first)) --first;
  std::string text;
  for (auto rank = first; rank == first || (rank != workers.end() && !hosts_cells(*rank)); ++rank) {
    text += line_of(*rank, rank == most ? "holds most" : "holds");
  }
  return text;
}

std::string processes_text(std::size_t n_processes) {
  return n_processes == 1 ? "1 process" : fmt::format("{} processes", n_processes);
}

// Says what the tightest limit of a host leaves; nothing where none is known.
std::string left_text(const MemoryFit* fit) {
  if (fit == nullptr) return "";
  return fmt::format("; {} are left of {}{}", bytes_text(fit->free_bytes), fit->limit,
                     fit->is_too_little() ? fmt::format(", and {} more are needed: not enough",
                                                        bytes_text(fit->needed_bytes))
                                          : "");
}

struct Host {
  std::size_t n_bytes = 0;
  std::size_t on_disk = 0;
  std::set<std::uint32_t> processes;  // ranks may be threads of one
};

std::map<std::string, Host> hosts_of(std::span<const HostingWorker> workers,
                                     std::span<const comm::InventoryEntry> inventory) {
  std::map<std::string, Host> hosts;
  for (const comm::InventoryEntry& entry : inventory) hosts[entry.host].processes.insert(entry.pid);
  for (const HostingWorker& worker : workers) {
    const comm::InventoryEntry& entry = inventory[static_cast<std::size_t>(worker.rank.value)];
    hosts[entry.host].n_bytes += worker.memory.total();
    hosts[entry.host].on_disk += worker.memory.on_disk;
  }
  return hosts;
}

}  // namespace

std::string memory_report(const MemoryEstimate& estimate,
                          std::span<const comm::InventoryEntry> inventory) {
  std::string text = lines_of_ranks(estimate.workers);
  const std::vector<MemoryFit> fits = memory_fits(estimate, inventory);
  const std::size_t dataset = estimate.dataset.content_bytes();
  for (const auto& [name, host] : hosts_of(estimate.workers, inventory)) {
    const std::size_t n_bytes =
        host.n_bytes + kLibraryBytes + host.processes.size() * kProcessBytes + dataset;
    const auto fit = std::ranges::find(fits, name, &MemoryFit::host);
    const std::string share = dataset > 0
                                  ? "of which " + estimate.dataset.name + " " + bytes_text(dataset)
                                  : "without " + estimate.dataset.name;
    text += fmt::format("memory: {}: {} in {}, {}{}{}\n", name, bytes_text(n_bytes),
                        processes_text(host.processes.size()), share, disk_text(host.on_disk),
                        left_text(fit == fits.end() ? nullptr : &*fit));
  }
  return text;
}

}  // namespace lipizz::setup
