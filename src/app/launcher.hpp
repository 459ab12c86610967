#pragma once

#include <optional>

namespace lipizz::app {

/// This process's rank as its launcher (mpirun, srun) wrote it into the environment; nothing
/// without a launcher. Known before the message layer starts, so that commands which need none
/// print once.
std::optional<int> launcher_rank();

/// For a process that finds no other rank. ConfigError when it is one of several tasks of a Slurm
/// job step: they have no MPI between them, and each would train the same run.
void expect_one_task();

/// Says whether the launcher lets the other ranks go on when one is lost: Open MPI's, when it was
/// told to (mpirun --enable-recovery).
bool launcher_survives_losses();

/// The variable by which `lipizz launch` names a file that wants the exit code of rank 0, which
/// mpirun may not return.
inline constexpr const char* kExitCodeFile = "LIPIZZ_EXIT_CODE_FILE";

/// Writes that file, where it is named.
void tell_launcher(int exit_code);

}  // namespace lipizz::app
