#include "setup/memory_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::setup {
namespace {

// Estimates have been seen up to 15 % from what runs take (tests/system/memory_test.py); what is
// refused would not run were one a fifth too high.
constexpr double kSurely = 0.8;

using Sharers = std::tuple<std::string, std::string, std::uint64_t>;  // host, limit, number

std::uint64_t needed_by(const HostingWorker& worker) {
  return worker.memory.total() - (worker.is_on_gpu ? worker.memory.programs : 0);
}

// Processes look at different times, when others have begun to take; the most that any has seen is
// what there was.
std::map<Sharers, MemoryFit> fits_of_all(const MemoryEstimate& estimate,
                                         std::span<const comm::InventoryEntry> inventory) {
  std::map<Sharers, MemoryFit> fits;
  std::set<std::string> hosts;
  for (const HostingWorker& worker : estimate.workers) {
    const comm::InventoryEntry& entry = inventory[static_cast<std::size_t>(worker.rank.value)];
    const bool opens_dataset = hosts.insert(entry.host).second;
    for (const comm::MemoryLimit& limit : entry.memory.limits) {
      MemoryFit& fit = fits[{entry.host, limit.name, limit.shared_by}];
      fit.host = entry.host;
      fit.limit = limit.name;
      if (worker.n_cells > 0) fit.n_workers += 1;
      fit.n_cells += worker.n_cells;
      fit.needed_bytes += needed_by(worker) + (limit.counts_files ? worker.memory.on_disk : 0);
      if (opens_dataset) fit.needed_bytes += estimate.dataset.content_bytes();
      fit.free_bytes = std::max(fit.free_bytes, limit.free_bytes);
    }
  }
  return fits;
}

}  // namespace

double MemoryFit::shortage() const {
  return static_cast<double>(needed_bytes) /
         static_cast<double>(std::max<std::uint64_t>(free_bytes, 1));
}

bool MemoryFit::is_too_little() const {
  return kSurely * static_cast<double>(needed_bytes) > static_cast<double>(free_bytes);
}

std::vector<MemoryFit> memory_fits(const MemoryEstimate& estimate,
                                   std::span<const comm::InventoryEntry> inventory) {
  std::map<std::string, MemoryFit> tightest;
  for (const auto& [sharers, fit] : fits_of_all(estimate, inventory)) {
    const auto [known, is_new] = tightest.emplace(fit.host, fit);
    if (!is_new && fit.shortage() > known->second.shortage()) known->second = fit;
  }
  std::vector<MemoryFit> fits;
  for (const auto& [host, fit] : tightest) fits.push_back(fit);
  return fits;
}

void check_memory(std::span<const MemoryFit> fits) {
  const auto worst = std::ranges::max_element(fits, {}, &MemoryFit::shortage);
  if (worst == fits.end() || !worst->is_too_little()) return;
  const auto n_others = std::ranges::count_if(fits, &MemoryFit::is_too_little) - 1;
  throw ConfigError(fmt::format(
      "memory: {} needs {} more for {} on {}, but {} are left of {}{}; use a smaller grid or more "
      "hosts, a smaller model, data.batch_size or score.n_samples, more micro-batches "
      "(without data.sync_batch_norm), networks in pipeline.stages or on disk (generator.offload); "
      "if you know better, --set check_memory=false",
      worst->host, bytes_text(worst->needed_bytes), counted(worst->n_cells, "cell"),
      counted(worst->n_workers, "worker"), bytes_text(worst->free_bytes), worst->limit,
      n_others == 0
          ? ""
          : fmt::format(", and {} too", n_others == 1
                                            ? "another host lacks some"
                                            : fmt::format("{} other hosts lack some", n_others))));
}

std::string bytes_text(std::uint64_t n_bytes) {
  const auto n = static_cast<double>(n_bytes);
  if (n < 1e9) return fmt::format("{:.1f} MB", n / 1e6);
  return n < 1e12 ? fmt::format("{:.1f} GB", n / 1e9) : fmt::format("{:.1f} TB", n / 1e12);
}

}  // namespace lipizz::setup
