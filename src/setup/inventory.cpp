#include "setup/inventory.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "comm/mpi_session.hpp"
#include "core/hash.hpp"
#include "core/host.hpp"
#include "data/libraries.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "nn/exec/libraries.hpp"
#include "setup/control_groups.hpp"
#include "setup/engine.hpp"
#include "setup/memory_limits.hpp"

namespace lipizz::setup {
namespace {

// Two programs of one version may differ, and then so may their bits. The first page of a program
// holds the linker's build id, a hash of all of it.
std::uint64_t hash_of_this_program() {
  std::array<char, 4096> page{};
  std::ifstream("/proc/self/exe", std::ios::binary).read(page.data(), page.size());
  Hasher hasher;
  hasher.bytes(std::as_bytes(std::span(page)));
  return hasher.digest();
}

// As NVIDIA's driver names them: `Model: \t\t NVIDIA H100 80GB HBM3`.
std::vector<std::string> accelerators() {
  std::vector<std::string> names;
  std::error_code no_driver;
  for (const auto& gpu :
       std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", no_driver)) {
    std::ifstream information(gpu.path() / "information");
    for (std::string line; std::getline(information, line);) {
      if (!line.starts_with("Model:")) continue;
      const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
      if (begin != std::string::npos) names.push_back(line.substr(begin));
    }
  }
  return names;
}

template <class Libraries>
void append(std::vector<Library>& all, const Libraries& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::string c_library() {
#ifdef _CS_GNU_LIBC_VERSION
  std::array<char, 64> name{};
  confstr(_CS_GNU_LIBC_VERSION, name.data(), name.size());
  return name.data();
#else
  return "unknown";
#endif
}

// Those whose version may show in a result, and who translated the program.
std::vector<Library> libraries_of_this_process() {
  std::vector<Library> all{comm::mpi_library()};
  append(all, nn::libraries());
  append(all, data::libraries());
  all.push_back({"C library", c_library()});
  all.push_back({"compiler", LIPIZZ_COMPILER});
  return all;
}

// 0 where they do not tell.
std::uint32_t cores_of_control_groups() {
  return static_cast<std::uint32_t>(std::ceil(processors_of_control_groups().value_or(0)));
}

std::optional<cpu_set_t> affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::optional(set) : std::nullopt;
}

}  // namespace

comm::InventoryEntry inventory_of_this_process(const config::Experiment& experiment,
                                               std::uint64_t configuration_hash) {
  comm::InventoryEntry entry;
  entry.host = host_name();
  entry.pid = static_cast<std::uint32_t>(getpid());
  entry.cores = {usable_cores(), core_set(), cores_of_control_groups()};
  entry.load = host_load();
  entry.memory.bytes = host_memory_bytes();
  entry.memory.limits = memory_limits();
  entry.devices = accelerators();
  entry.n_gpus = usable_gpus(experiment);
  if (experiment.compute.device != "cpu") entry.why_no_gpu = nn::why_no_gpu();
  entry.program.version = LIPIZZ_VERSION;
  entry.program.libraries = libraries_of_this_process();
  entry.program.build = hash_of_this_program();
  entry.configuration = configuration_hash;
  entry.engine = experiment.compute.engine;
  entry.numerics_levels = numerics_levels(experiment);
  // Where `auto` may yet choose GPUs the run plan looks at it.
  nn::check_bf16(
      engine_of(experiment, entry.numerics_levels.back(), nn::ConvolutionTable::committed()));
  return entry;
}

std::uint32_t usable_gpus(const config::Experiment& experiment) {
  return experiment.compute.device == "cpu" ? 0 : static_cast<std::uint32_t>(nn::count_gpus());
}

std::uint32_t usable_cores() {
  const std::optional<cpu_set_t> set = affinity();
  const std::uint32_t n =
      set ? static_cast<std::uint32_t>(CPU_COUNT(&*set)) : std::thread::hardware_concurrency();
  const std::uint32_t most = cores_of_control_groups();
  return std::max(1U, most == 0 ? n : std::min(n, most));
}

std::uint64_t core_set() {
  const std::optional<cpu_set_t> set = affinity();
  if (!set) return 0;
  Hasher hasher;
  hasher.bytes(std::as_bytes(std::span(&*set, 1)));
  return hasher.digest();
}

}  // namespace lipizz::setup
