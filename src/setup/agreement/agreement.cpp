#include "setup/agreement/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "setup/agreement/inventory_text.hpp"

namespace lipizz::setup {
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

constexpr std::string_view kGpu = "cuda";
constexpr std::string_view kGpuAndCpu = "cuda+cpu";

bool has_gpu(const InventoryEntry& entry) {
  return entry.n_gpus > 0;
}

// Why this worker cannot compute with GPU `index` of its node.
std::string why_missing(Entries entries, std::size_t rank, std::uint32_t index) {
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

}  // namespace

void check_agreement(Entries entries) {
  throw_first_failure(entries);
  const char* install = "install the same program on all hosts";
  check_equal(entries, "version", install, [](const auto& entry) { return entry.program.version; });
  check_equal(entries, "build", install,
              [](const auto& entry) { return to_hex(entry.program.build); });
  check_equal(entries, "configuration", "give all ranks the same files and options",
              [](const auto& entry) { return to_hex(entry.configuration); });
}

void check_number_of_ranks(std::size_t n_ranks, std::uint32_t ranks_per_cell) {
  const std::size_t left = (n_ranks - 1) % ranks_per_cell;
  if (left == 0) return;
  const std::size_t fewer = n_ranks - left;
  throw ConfigError(
      fmt::format("ranks_per_cell: expected a master and {} for each worker, found {}; start {}{}",
                  counted(ranks_per_cell, "rank"), counted(n_ranks, "rank"),
                  fewer > 1 ? fmt::format("{} or ", fewer) : "", fewer + ranks_per_cell));
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
                       why_missing(entries, lacking, index)};
  }
  const bool is_enough =
      wanted == kGpuAndCpu ? std::ranges::any_of(entries.subspan(1), has_gpu) : all_have_it;
  if (!is_enough) {
    throw ConfigError("device: " + wanted + " needs GPUs, but " +
                      why_missing(entries, lacking, index));
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

}  // namespace lipizz::setup
