#include "app/launcher.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>

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

bool launcher_survives_losses() {
  const char* recovers = std::getenv("OMPI_MCA_orte_enable_recovery");
  return recovers != nullptr &&
         (std::string_view(recovers) == "1" || std::string_view(recovers) == "true");
}

void tell_launcher(int exit_code) {
  if (const char* path = std::getenv(kExitCodeFile)) std::ofstream(path) << exit_code << '\n';
}

}  // namespace lipizz::app
