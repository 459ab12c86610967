#include "app/launcher.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "core/error.hpp"
#include "core/host.hpp"
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

bool is_rank_of_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
}

bool is_one_of_several() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* size = std::getenv(name);
    if (size != nullptr) return parse_number<int>(size).value_or(1) > 1;
  }
  // The script of a job has Slurm's rank too, and is alone.
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return is_set("PMIX_RANK") || is_set("PMI_RANK");
}

bool is_first_on_host() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  return rank != nullptr && std::string_view(rank) == "0";
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

std::string name_of_process() {
  const std::string pid = std::to_string(getpid());
  if (const char* job = std::getenv("SLURM_ARRAY_JOB_ID")) {
    const char* task = std::getenv("SLURM_ARRAY_TASK_ID");
    return "job" + std::string(job) + "_" + (task == nullptr ? "" : task) + "-" + pid;
  }
  if (const char* job = std::getenv("SLURM_JOB_ID")) return "job" + std::string(job) + "-" + pid;
  const std::string host = host_name();
  return host.substr(0, host.find('.')) + "-" + pid;
}

std::string mark_of_launch(const std::string& id) {
  return kLaunchId + ("=" + id);
}

std::string launch_id() {
  const char* id = std::getenv(kLaunchId);
  return id == nullptr ? std::string() : id;
}

int code_to_leave_with(int exit_code, bool is_first) {
  const char* path = std::getenv(kExitCodeFile);
  if (path == nullptr) return exit_code;
  if (!is_first) return 0;
  std::ofstream file(path);
  return file << exit_code << std::endl ? 0 : exit_code;
}

}  // namespace lipizz::app
