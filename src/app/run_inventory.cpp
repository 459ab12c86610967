#include "app/run_inventory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string>
#include <thread>

#include "core/hash.hpp"
#include "worker/translate.hpp"

namespace lipizz::app {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::uint64_t memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

// Two programs of one version may differ, and then so may their bits. The first page of a program
// holds the linker's build id, a hash of all of it.
std::uint64_t hash_of_this_program() {
  std::array<char, 4096> page{};
  std::ifstream("/proc/self/exe", std::ios::binary).read(page.data(), page.size());
  Hasher hasher;
  hasher.bytes(std::as_bytes(std::span(page)));
  return hasher.digest();
}

}  // namespace

comm::InventoryEntry inventory_of_this_process(const config::Experiment& experiment,
                                               std::uint64_t configuration_hash) {
  comm::InventoryEntry entry;
  entry.host = host_name();
  entry.pid = static_cast<std::uint32_t>(getpid());
  entry.cores = usable_cores();
  entry.memory_bytes = memory_bytes();
  entry.version = LIPIZZ_VERSION;
  entry.build = hash_of_this_program();
  entry.configuration = configuration_hash;
  entry.engine = experiment.engine;
  entry.numerics_levels = worker::numerics_levels(experiment);
  return entry;
}

std::uint32_t usable_cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace lipizz::app
