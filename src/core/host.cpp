#include "core/host.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace lipizz {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::uint64_t host_memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

std::uint32_t host_cores() {
  return static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

double host_load() {
  double last_minute = 0;
  return getloadavg(&last_minute, 1) == 1 ? last_minute : 0;
}

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != 0 ? named : "/tmp";
}

}  // namespace lipizz
