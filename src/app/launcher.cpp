#include "app/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace lipizz::app {

std::optional<int> launcher_rank() {
  // Slurm's comes last: mpirun inside a job step inherits it, the same in all processes.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    const std::string_view text = value;
    int rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error == std::errc() && end == text.data() + text.size()) return rank;
  }
  return std::nullopt;
}

}  // namespace lipizz::app
