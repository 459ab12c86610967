#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"
#include "core/ids.hpp"
#include "data/description.hpp"

namespace lipizz::setup {

/// Bytes that a worker holds when it holds most, beside the program itself and the dataset, which
/// the workers of a host share. It is what training on the host takes: a GPU's copies, and the
/// values of cells that it trains together (coev::Settings::group_size), are not counted.
struct WorkerMemory {
  std::size_t cells = 0;       // centres with moments, and one cell's offspring
  std::size_t neighbours = 0;  // their networks that are in use
  std::size_t messages =
      0;  // publications sent and arrived, states on their way to files and buddies
  std::size_t programs = 0;  // plans and buffers of training, fitness, sampling and scoring; judge
  std::size_t samples = 0;   // of scores and pictures, and the order of the training samples

  std::size_t on_disk = 0;  // moments that are offloaded, which take no memory

  // For every worker's prepared primitives, with their library's workspace; measured.
  static constexpr std::size_t kEngineBytes = 6'000'000;

  [[nodiscard]] std::size_t total() const {
    return cells + neighbours + messages + programs + samples + kEngineBytes;
  }
};

/// A worker that hosts cells, or a helper of one.
struct HostingWorker {
  Rank rank;
  std::size_t n_cells = 0;  // 0: a helper
  WorkerMemory memory;
  bool is_on_gpu = false;
};

/// The memory that a run will hold when it holds most.
struct MemoryEstimate {
  std::vector<HostingWorker> workers;  // at least one, by rank
  data::Description dataset;           // the workers of a host share it
};

/// Says it for people: a line for the rank that holds most, for each of the others that train the
/// same cells, and for each host, with what is free there. `inventory` is by rank.
std::string memory_report(const MemoryEstimate& estimate,
                          std::span<const comm::InventoryEntry> inventory);

}  // namespace lipizz::setup
