#pragma once

#include <optional>
#include <string>

namespace lipizz::app {

/// This process's rank as its launcher (mpirun, srun) wrote it into the environment; nothing
/// without a launcher. Known before the message layer starts, so that commands which need none
/// print once.
std::optional<int> launcher_rank();

/// True for a process that mpirun has started, unlike one that is a task of Slurm's alone, as the
/// script of a job is.
bool is_rank_of_mpirun();

/// True for a process that a launcher has started beside others.
bool is_one_of_several();

/// Says whether Open MPI's launcher has started this process as the first of its host.
bool is_first_on_host();

/// For a process that finds no other rank. ConfigError when it is one of several tasks of a Slurm
/// job step: they have no MPI between them, and each would train the same run.
void expect_one_task();

/// Says whether the launcher lets the other ranks go on when one is lost: Open MPI's, when it was
/// told to (mpirun --enable-recovery).
bool launcher_survives_losses();

/// Tells this process from others that start in the same second, for names of folders: host and
/// process (`node7-4711`), in a Slurm job that and its array's task in place of the host
/// (`job815_3-4711`).
std::string name_of_process();

/// The variable by which `lipizz launch` names a file that wants the exit code of rank 0, which
/// mpirun may not return.
inline constexpr const char* kExitCodeFile = "LIPIZZ_EXIT_CODE_FILE";
/// The variable by which `lipizz launch` gives itself a name, the same for all its starts.
inline constexpr const char* kLaunchId = "LIPIZZ_LAUNCH_ID";
/// NAME=VALUE of that, which whatever a launch starts inherits.
std::string mark_of_launch(const std::string& id);

/// The name of the `lipizz launch` that has started this process; empty where none has.
std::string launch_id();

/// Tells `lipizz launch` the exit code of the run, on the rank that `is_first`. Returns the code
/// for this rank to leave with: 0 where launch knows the run's, since mpirun takes any other for a
/// fault and writes a page about it.
int code_to_leave_with(int exit_code, bool is_first);

}  // namespace lipizz::app
