#include "app/launcher.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.hpp"
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

void expect_one_task() {
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  // Ranks under an mpirun inherit the variable, and know how many they are.
  if (tasks == nullptr || std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return;
  if (parse_number<int>(tasks).value_or(1) <= 1) return;
  const std::string n = tasks;
  throw ConfigError("srun started " + n +
                    " tasks that MPI does not know as ranks of one run; type "
                    "`srun --mpi=pmix -n " +
                    n +
                    " lipizz ...` (`srun --mpi=list` shows what there "
                    "is), or in the job `lipizz launch ...` or `mpirun lipizz ...`");
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
