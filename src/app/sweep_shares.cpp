#include "app/sweep_shares.hpp"

#include <sched.h>

#include <algorithm>

#include "core/text.hpp"
#include "setup/inventory.hpp"

namespace lipizz::app {

OwnCores own_cores(const char* cpus_per_task) {
  OwnCores own;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::uint32_t core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) own.cores.push_back(core);
    }
  }
  own.n = setup::usable_cores();
  const auto given =
      cpus_per_task == nullptr ? std::nullopt : parse_number<std::uint32_t>(cpus_per_task);
  if (given && *given > 0) own.n = std::min(own.n, *given);
  return own;
}

std::uint32_t default_jobs(const OwnCores& own, const config::Experiment& experiment) {
  if (experiment.compute.device != "cpu") return 1;
  const std::uint32_t cells = experiment.grid.rows * experiment.grid.columns;
  const std::uint32_t threads = experiment.compute.threads;
  const std::uint32_t workers = threads > 0 ? std::min(threads, cells) : cells;
  const std::uint32_t wanted = workers * config::cores_per_worker(experiment);
  return std::max(1U, own.n / std::min(wanted, own.n));
}

std::vector<CoreShare> shares(const OwnCores& own, std::uint32_t n,
                              std::uint32_t cores_per_worker) {
  std::vector<CoreShare> all;
  const bool is_kept = own.n == own.cores.size() && n <= own.n;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t begin = std::uint64_t{own.n} * i / n;
    const std::uint64_t end = std::uint64_t{own.n} * (i + 1) / n;
    const std::uint64_t n_workers = std::max<std::uint64_t>(1, (end - begin) / cores_per_worker);
    CoreShare share{.threads = static_cast<std::uint32_t>(n_workers), .cores = {}};
    for (std::uint64_t k = begin; is_kept && k < end; ++k) share.cores.push_back(own.cores[k]);
    all.push_back(std::move(share));
  }
  return all;
}

}  // namespace lipizz::app
