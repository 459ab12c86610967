#include "setup/memory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace lipizz::setup {
namespace {

// These were measured in a run that trains next to nothing: the libraries, which the processes of a
// host share, and what each process has for itself.
constexpr std::size_t kLibraryBytes = 13'000'000;
constexpr std::size_t kProcessBytes = 4'000'000;
// Each worker has prepared primitives, and their library's workspace.
constexpr std::size_t kEngineBytes = 6'000'000;

double megabytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

std::size_t dataset_bytes(const data::Dataset& dataset) {
  const bool is_image = dataset.kind() == data::SampleKind::kImage;
  const std::size_t value_bytes = is_image ? 1 : sizeof(float);
  return (std::size_t{dataset.n_train_full()} + dataset.n_test()) * dataset.shape().size() *
         value_bytes;
}

std::string line_of(const HostingWorker& worker) {
  const WorkerMemory& m = worker.memory;
  return fmt::format(
      "memory: rank {} holds most: {:.1f} MB, of which {} cells {:.1f}, neighbours {:.1f}, "
      "messages "
      "{:.1f}, programs {:.1f}, samples {:.1f}\n",
      worker.rank.value, megabytes(m.total() + kEngineBytes), worker.n_cells, megabytes(m.cells),
      megabytes(m.neighbours), megabytes(m.messages), megabytes(m.programs), megabytes(m.samples));
}

std::string counted(std::size_t n_processes) {
  return n_processes == 1 ? "1 process" : fmt::format("{} processes", n_processes);
}

struct Host {
  std::size_t n_bytes = 0;
  std::set<std::uint32_t> processes;  // ranks may be threads of one
};

std::map<std::string, Host> hosts_of(std::span<const HostingWorker> workers,
                                     std::span<const comm::InventoryEntry> inventory) {
  std::map<std::string, Host> hosts;
  for (const comm::InventoryEntry& entry : inventory) hosts[entry.host].processes.insert(entry.pid);
  for (const HostingWorker& worker : workers) {
    const comm::InventoryEntry& entry = inventory[static_cast<std::size_t>(worker.rank.value)];
    hosts[entry.host].n_bytes += worker.memory.total() + kEngineBytes;
  }
  return hosts;
}

}  // namespace

std::string memory_report(std::span<const HostingWorker> workers, const data::Dataset& dataset,
                          std::span<const comm::InventoryEntry> inventory) {
  std::string text = line_of(*std::ranges::max_element(
      workers, {}, [](const HostingWorker& worker) { return worker.memory.total(); }));
  for (const auto& [name, host] : hosts_of(workers, inventory)) {
    const std::size_t n_bytes = host.n_bytes + kLibraryBytes +
                                host.processes.size() * kProcessBytes + dataset_bytes(dataset);
    text += fmt::format("memory: {}: {:.1f} MB in {}, of which {} {:.1f}\n", name,
                        megabytes(n_bytes), counted(host.processes.size()), dataset.name(),
                        megabytes(dataset_bytes(dataset)));
  }
  return text;
}

}  // namespace lipizz::setup
