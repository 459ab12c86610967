#include "app/doctor_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace lipizz::app {
namespace {

constexpr double kSlowShare = 0.4;  // of the peak, in a large product
constexpr std::uint64_t kLittleMemory = 1 << 30;

}  // namespace

Finding check_processor(std::uint32_t n_cores, const std::string& level,
                        const setup::MachineSpeed& speed) {
  const std::string subject = "processor";
  const std::string text = fmt::format(
      "{}, numerics {}; of one core: {:.0f} GFLOP/s in products of matrices, {:.0f} at its peak, "
      "{:.1f} GB/s to and from memory",
      counted(n_cores, "core"), level, speed.product_flops_per_s / 1e9,
      speed.peak_flops_per_s / 1e9, speed.bytes_per_s / 1e9);
  if (speed.product_flops_per_s >= kSlowShare * speed.peak_flops_per_s) return ok(subject, text);
  return note(subject, text,
              "products are far from the peak: something else runs here, or this build has no "
              "oneDNN (`lipizz list engines`)");
}

Finding check_load(double load, std::uint32_t n_host_cores, std::uint32_t n_cores) {
  const std::string subject = "load";
  const std::string text =
      fmt::format("{:.1f} on the host's {}", load, counted(n_host_cores, "core"));
  // Whole processes count, not what lingers of one that has ended.
  if (n_host_cores - std::floor(load) >= n_cores) return ok(subject, text);
  return note(subject, text,
              "other processes, or some that have just ended, take cores that ranks would run on, "
              "or wait for a disk; `top` shows them");
}

Finding check_memory(const comm::InventoryEntry::Memory& memory) {
  const std::string subject = "memory";
  std::string text = size_text(static_cast<double>(memory.bytes)) + " of the host";
  if (memory.limits.empty()) return ok(subject, text);
  const auto least = std::ranges::min_element(memory.limits, {}, &comm::MemoryLimit::free_bytes);
  text += "; " + size_text(static_cast<double>(least->free_bytes)) + " can still be had of " +
          least->name;
  if (least->free_bytes >= kLittleMemory) return ok(subject, text);
  return note(subject, text, "`lipizz --dry-run` with your settings says what a run takes");
}

Finding check_gpus(int n_gpus, const std::string& why_none, const std::string& wanted) {
  const std::string subject = "GPUs";
  if (n_gpus > 0) return ok(subject, counted(static_cast<std::uint64_t>(n_gpus), "GPU"));
  if (wanted.starts_with("cuda")) {
    return problem(subject, "none: " + why_none,
                   "see docs/gpu.md, or train on the processor with --device cpu");
  }
  return ok(subject, "none: " + why_none);
}

Finding check_slots(const config::Grid& grid, const config::Compute& compute, std::uint32_t n_cores,
                    std::optional<std::uint32_t> n_slots) {
  const std::string subject = "ranks";
  const std::uint32_t n_threads = compute.threads_per_worker;
  const std::uint32_t n_of_workers = grid.rows * grid.columns * compute.ranks_per_cell;
  std::string text = fmt::format(
      "a {}x{} grid has {} for a master and {} to each cell", grid.rows, grid.columns,
      counted(n_of_workers + 1, "rank"),
      compute.ranks_per_cell == 1 ? "a worker" : std::to_string(compute.ranks_per_cell));
  if (n_slots) {
    text += fmt::format("; this job has {}", counted(*n_slots, "slot"));
    if (*n_slots < 1 + compute.ranks_per_cell) {
      return problem(subject, text,
                     fmt::format("ask the scheduler for {} tasks or more, or train in one process "
                                 "with lipizz train",
                                 1 + compute.ranks_per_cell));
    }
    if (*n_slots <= n_of_workers) {
      const std::uint32_t left = (*n_slots - 1) % compute.ranks_per_cell;
      return note(subject, text,
                  "`lipizz launch` gives each worker several cells, with the same "
                  "result; mpirun takes -np " +
                      std::to_string(*n_slots - left));
    }
    return ok(subject, text);
  }
  text += "; here are " + counted(n_cores, "core");
  if (n_threads > 1) text += fmt::format(", {} for each worker", n_threads);
  if (n_of_workers * n_threads + 1 <= n_cores) return ok(subject, text);
  return note(
      subject, text,
      "`lipizz launch` lets ranks outnumber cores, mpirun with --oversubscribe; fewer ranks "
      "give the same result");
}

}  // namespace lipizz::app
