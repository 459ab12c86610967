#include "master/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "grid/placement.hpp"

namespace lipizz::master {
namespace {

using comm::InventoryEntry;
using Entries = std::span<const InventoryEntry>;

void throw_first_failure(Entries entries) {
  const auto failed = std::ranges::find_if(
      entries, [](const InventoryEntry& entry) { return entry.exit_code != 0; });
  if (failed == entries.end()) return;
  const bool all_alike = std::ranges::all_of(
      entries, [&](const InventoryEntry& entry) { return entry.error == failed->error; });
  const auto rank = static_cast<std::size_t>(failed - entries.begin());
  throw Error(static_cast<ExitCode>(failed->exit_code),
              all_alike ? failed->error : name_of(entries, rank) + ": " + failed->error);
}

template <class Project>
void check_equal(Entries entries, const char* what, const char* remedy, Project project) {
  for (std::size_t rank = 1; rank < entries.size(); ++rank) {
    if (project(entries[rank]) == project(entries[0])) continue;
    throw ConfigError(
        fmt::format("all ranks must have the same {}, but {} has {} and {} has {}; {}", what,
                    name_of(entries, 0), project(entries[0]), name_of(entries, rank),
                    project(entries[rank]), remedy));
  }
}

bool offers(const InventoryEntry& entry, const std::string& level) {
  return std::ranges::find(entry.numerics_levels, level) != entry.numerics_levels.end();
}

std::vector<grid::Capacity> capacities(Entries workers) {
  std::map<std::string, double> n_workers;
  std::map<std::string, double> cores;
  for (const InventoryEntry& worker : workers) {
    n_workers[worker.host] += 1;
    cores[worker.host] = std::max(cores[worker.host], static_cast<double>(worker.cores));
  }
  std::vector<grid::Capacity> shares;
  for (const InventoryEntry& worker : workers) {
    const double n = n_workers[worker.host];
    shares.push_back({std::max(1.0, cores[worker.host]) / n,
                      std::max(1.0, static_cast<double>(worker.memory_bytes)) / n});
  }
  return shares;
}

bool have_measured(Entries workers) {
  return std::ranges::all_of(workers, [](const auto& worker) { return worker.speed.has_value(); });
}

std::vector<grid::Speed> speeds(Entries workers) {
  if (!have_measured(workers)) return grid::speeds_of(capacities(workers));
  std::vector<grid::Speed> measured;
  for (const InventoryEntry& worker : workers) {
    measured.push_back({worker.speed->fixed_s, worker.speed->per_cell_s});
  }
  return measured;
}

constexpr std::string_view kGpu = "cuda";
constexpr std::string_view kGpuAndCpu = "cuda+cpu";

bool has_gpu(const InventoryEntry& entry) {
  return entry.n_gpus > 0;
}

// Why this worker cannot compute with GPU `index` of its node.
std::string missing(Entries entries, std::size_t rank, std::uint32_t index) {
  const InventoryEntry& entry = entries[rank];
  if (!has_gpu(entry)) return name_of(entries, rank) + " has none: " + entry.why_no_gpu;
  return fmt::format("{} has {} of them, counted from 0; there is no cuda:{}",
                     name_of(entries, rank), entry.n_gpus, index);
}

// Its place among the workers of its host.
std::uint32_t place_on_host(Entries entries, std::size_t rank) {
  const auto workers_before = entries.subspan(1, rank - 1);
  return static_cast<std::uint32_t>(
      std::ranges::count(workers_before, entries[rank].host, &InventoryEntry::host));
}

// Worker 0 is rank 1.
std::vector<std::int32_t> ranks_of(std::span<const std::size_t> worker_of) {
  std::vector<std::int32_t> ranks;
  for (const std::size_t worker : worker_of) ranks.push_back(static_cast<std::int32_t>(worker) + 1);
  return ranks;
}

std::string pace_text(const std::optional<comm::Speed>& speed) {
  if (!speed) return "";
  return fmt::format(" (a batch: {:.3g} ms, and {:.3g} for each cell)", 1e3 * speed->fixed_s,
                     1e3 * speed->per_cell_s);
}

std::string cells_text(const std::vector<CellId>& cells) {
  if (cells.empty()) return "a spare";
  if (cells.size() == 1) return fmt::format("hosts cell {}", cells.front().value);
  return fmt::format("hosts cells {}-{}", cells.front().value, cells.back().value);
}

}  // namespace

std::string name_of(Entries entries, std::size_t rank) {
  return fmt::format("rank {} on {}", rank, entries[rank].host);
}

void check_agreement(Entries entries) {
  throw_first_failure(entries);
  const char* install = "install the same program on all hosts";
  check_equal(entries, "version", install, [](const auto& entry) { return entry.version; });
  check_equal(entries, "build", install, [](const auto& entry) { return to_hex(entry.build); });
  check_equal(entries, "configuration", "give all ranks the same files and options",
              [](const auto& entry) { return to_hex(entry.configuration); });
}

std::string agreed_numerics(Entries entries, const std::string& wanted) {
  const std::vector<std::string>& known = entries.front().numerics_levels;
  if (wanted == "auto") {
    const auto highest = std::find_if(known.rbegin(), known.rend(), [&](const std::string& level) {
      return std::ranges::all_of(entries, [&](const auto& entry) { return offers(entry, level); });
    });
    if (highest == known.rend()) throw ConfigError("the ranks have no numerics level in common");
    return *highest;
  }
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    if (offers(entries[rank], wanted)) continue;
    throw ConfigError(fmt::format("numerics: {} is asked for, but {} with engine {} offers {}",
                                  wanted, name_of(entries, rank), entries[rank].engine,
                                  join(entries[rank].numerics_levels)));
  }
  return wanted;
}

AgreedDevice agreed_device(Entries entries, const std::string& wanted) {
  if (wanted == "cpu") return {wanted, ""};
  const auto index_text = wanted.starts_with("cuda:") ? wanted.substr(kGpu.size() + 1) : "0";
  const std::uint32_t index = parse_number<std::uint32_t>(index_text).value_or(0);
  std::size_t lacking = 1;
  while (lacking < entries.size() && entries[lacking].n_gpus > index) ++lacking;
  const bool all_have_it = lacking == entries.size();
  if (wanted == "auto") {
    if (all_have_it) return {std::string(kGpu), "device: auto chose the GPUs (cuda)"};
    return {"cpu", "device: auto chose the processor, since GPUs are not everywhere: " +
                       missing(entries, lacking, index)};
  }
  const bool is_enough =
      wanted == kGpuAndCpu ? std::ranges::any_of(entries.subspan(1), has_gpu) : all_have_it;
  if (!is_enough) {
    throw ConfigError("device: " + wanted + " needs GPUs, but " + missing(entries, lacking, index));
  }
  return {wanted, ""};
}

std::vector<std::string> dealt_devices(Entries entries, const std::string& device) {
  std::vector<std::string> devices(entries.size(), device);
  devices.front().clear();
  for (std::size_t rank = 1; rank < entries.size(); ++rank) {
    const std::uint32_t place = place_on_host(entries, rank);
    const std::uint32_t n = entries[rank].n_gpus;
    if (device == kGpu) devices[rank] = fmt::format("cuda:{}", place % n);
    if (device == kGpuAndCpu) devices[rank] = place < n ? fmt::format("cuda:{}", place) : "cpu";
  }
  return devices;
}

std::string agreed_placement(const std::string& wanted, const std::string& device) {
  if (wanted != "auto") return wanted;
  return device == kGpuAndCpu ? "measured" : "shares";
}

std::vector<std::int32_t> place_cells(Entries entries, const grid::Torus& torus) {
  const Entries workers = entries.subspan(1);
  return ranks_of(have_measured(workers)
                      ? grid::place(torus.cells(), speeds(workers)).worker_of
                      : grid::place(torus.cells(), capacities(workers)).worker_of);
}

std::vector<std::int32_t> move_cells(Entries entries, std::span<const std::int32_t> rank_of_cell,
                                     const std::set<Rank>& lost) {
  std::vector<std::size_t> worker_of;
  for (const std::int32_t rank : rank_of_cell) {
    worker_of.push_back(static_cast<std::size_t>(rank) - 1);
  }
  std::vector<bool> is_lost(entries.size() - 1, false);
  for (const Rank rank : lost) is_lost[static_cast<std::size_t>(rank.value) - 1] = true;
  return ranks_of(grid::move_cells(std::move(worker_of), speeds(entries.subspan(1)), is_lost));
}

comm::Groups groups_of(const comm::RunPlan& run_plan, const grid::Torus& torus) {
  comm::Groups groups{comm::active_in(run_plan.rank_of_cell), std::nullopt};
  if (groups.active.size() == torus.cells()) groups.torus = {torus.rows, torus.columns};
  return groups;
}

std::vector<std::string> inventory_lines(Entries entries, const comm::RunPlan& run_plan) {
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    const InventoryEntry& entry = entries[rank];
    const Rank self{static_cast<int>(rank)};
    lines.push_back(fmt::format(
        "{}: {} cores, {:.0f} GB, {}, {}", name_of(entries, rank), entry.cores,
        static_cast<double>(entry.memory_bytes) / 1e9,
        entry.devices.empty() ? "no accelerator" : join(entry.devices),
        self == kMaster ? "the master"
                        : "computes with " + run_plan.devices[rank] + pace_text(entry.speed) +
                              ", " + cells_text(comm::cells_of(run_plan.rank_of_cell, self))));
  }
  return lines;
}

}  // namespace lipizz::master
