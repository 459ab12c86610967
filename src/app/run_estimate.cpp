#include "app/run_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/dataset.hpp"
#include "nn/graph/convolution_table.hpp"
#include "worker/memory.hpp"
#include "worker/translate.hpp"

namespace lipizz::app {
namespace {

// What was measured of a run that trains next to nothing: libraries, which processes of a host
// share, and what each process has for itself.
constexpr std::size_t kLibraryBytes = 13'000'000;
constexpr std::size_t kProcessBytes = 4'000'000;
// Of each worker: prepared primitives, and their library's room to work.
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

struct Worker {
  Rank rank;
  std::size_t n_cells;
  worker::Memory memory;
};

// Workers with as many cells hold as much, nearly.
std::vector<Worker> workers_of(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                               const data::Dataset& dataset) {
  const nn::ConvolutionTable convolutions = worker::convolutions_of(experiment);
  const nn::Engine engine = worker::engine_of(experiment, run_plan.numerics, convolutions);
  std::map<std::size_t, worker::Memory> known;
  std::vector<Worker> workers;
  for (const Rank rank : comm::active_in(run_plan.rank_of_cell)) {
    const std::vector<CellId> cells = comm::cells_of(run_plan.rank_of_cell, rank);
    if (!known.contains(cells.size())) {
      known[cells.size()] =
          worker::memory_of(experiment, engine, dataset, cells, run_plan.survives_losses);
    }
    workers.push_back({rank, cells.size(), known[cells.size()]});
  }
  return workers;
}

std::string line_of(const Worker& worker) {
  const worker::Memory& m = worker.memory;
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

}  // namespace

std::string memory_estimate(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                            std::span<const comm::InventoryEntry> inventory) {
  const auto dataset = data::open_dataset(experiment.data.dataset,
                                          {experiment.data.dir, experiment.data.max_samples});
  const std::vector<Worker> workers = workers_of(experiment, run_plan, *dataset);
  std::map<std::string, Host> hosts;
  for (const comm::InventoryEntry& entry : inventory) hosts[entry.host].processes.insert(entry.pid);
  for (const Worker& worker : workers) {
    hosts[inventory[static_cast<std::size_t>(worker.rank.value)].host].n_bytes +=
        worker.memory.total() + kEngineBytes;
  }
  std::string text = line_of(*std::ranges::max_element(
      workers, {}, [](const Worker& worker) { return worker.memory.total(); }));
  for (const auto& [name, host] : hosts) {
    const std::size_t n_bytes = host.n_bytes + kLibraryBytes +
                                host.processes.size() * kProcessBytes + dataset_bytes(*dataset);
    text += fmt::format("memory: {}: {:.1f} MB in {}, of which {} {:.1f}\n", name,
                        megabytes(n_bytes), counted(host.processes.size()), dataset->name(),
                        megabytes(dataset_bytes(*dataset)));
  }
  return text;
}

}  // namespace lipizz::app
