#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/launch_plan.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// Takes a line for people.
using Tell = std::function<void(const std::string&)>;

/// `lipizz launch`: runs lipizz under mpirun, and stays beside it.
///
/// SIGUSR1, SIGTERM, SIGHUP and SIGINT are passed on as SIGUSR1, which saves and stops the run.
/// When the job dies it is started again from what is saved, a bounded number of times in which no
/// other generation is saved, after growing pauses; where the hosts are known (mpirun's --host, a
/// Slurm job), on those that still answer. A command that died before the run began is not repeated
/// as it was. When the result is there and mpirun does not return, as after the loss of a host, it
/// is ended. Shared memory that killed ranks left on this host is removed. With spares, the job
/// outlives the loss of workers.
///
/// `run` is the folder of the run, absolute; `time_limit_s` counts from here. Returns the run's
/// exit code where its rank 0 could tell it, else that of the last mpirun.
int launch(const LaunchOptions& options, const config::Experiment& experiment,
           const std::filesystem::path& run, double time_limit_s, const Tell& tell);

}  // namespace lipizz::app
