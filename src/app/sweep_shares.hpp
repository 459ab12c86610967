#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/experiment.hpp"

namespace lipizz::app {

/// The part of this host that a run of a sweep gets.
struct CoreShare {
  std::uint32_t threads = 1;         // workers, each with threads_per_worker
  std::vector<std::uint32_t> cores;  // that it is kept to; empty: those of this process
  bool operator==(const CoreShare&) const = default;
};

/// The cores that this process may use, and how many of them are its own.
struct OwnCores {
  std::vector<std::uint32_t> cores;
  std::uint32_t n = 1;  // fewer where a scheduler has given fewer, without keeping it to them
};

/// `cpus_per_task` is Slurm's SLURM_CPUS_PER_TASK; null outside.
OwnCores own_cores(const char* cpus_per_task);

/// Runs at a time: as many as fill the cores, each having a use for `threads` of its settings, or
/// for one for each cell. On GPUs one.
std::uint32_t default_jobs(const OwnCores& own, const config::Experiment& experiment);

/// The share of each of n runs at a time, whose workers take so many cores each, with their threads
/// and helpers, as equal as can be. Where there are more runs than cores, or cores that belong to
/// others, they are kept to none.
std::vector<CoreShare> shares(const OwnCores& own, std::uint32_t n, std::uint32_t cores_per_worker);

}  // namespace lipizz::app
