#include "app/launcher.hpp"

#include <cstdlib>

#include "core/text.hpp"

namespace lipizz::app {

std::optional<int> launcher_rank() {
  // Slurm's comes last: mpirun inside a job step inherits it, the same in all processes.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    if (const auto rank = parse_number<int>(value)) return rank;
  }
  return std::nullopt;
}

}  // namespace lipizz::app
