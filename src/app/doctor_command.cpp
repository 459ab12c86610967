#include "app/doctor_command.hpp"

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <ostream>

#include "app/command_output.hpp"
#include "app/config_check.hpp"
#include "app/doctor.hpp"
#include "app/doctor_files.hpp"
#include "app/doctor_machine.hpp"
#include "app/doctor_mpi.hpp"
#include "app/doctor_place.hpp"
#include "app/launch_plan.hpp"
#include "app/launcher.hpp"
#include "app/load_experiment.hpp"
#include "app/terminal.hpp"
#include "app/time_limit.hpp"
#include "core/error.hpp"
#include "core/host.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "nn/exec/host_device.hpp"
#include "setup/engine.hpp"
#include "setup/inventory.hpp"
#include "setup/memory_limits.hpp"
#include "setup/resolve.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::app {
namespace {

std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

// Says what is wrong with them; nothing that depends on them can be looked at then.
std::optional<Finding> problem_of_settings(const config::Experiment& experiment) {
  try {
    check_without_machine(experiment);
  } catch (const ConfigError& error) {
    return problem("settings", error.what(), "see docs/configuration.md");
  }
  return std::nullopt;
}

Finding examined_processor(const config::Experiment& experiment) {
  const std::string level = setup::numerics_levels(experiment).back();
  const nn::ConvolutionTable convolutions = setup::convolutions_of(experiment);
  nn::Engine engine = setup::engine_of(experiment, level, convolutions);
  try {
    nn::check_bf16(engine);
  } catch (const ConfigError& error) {
    return problem("processor", error.what(), "set precision to f32");
  }
  engine.precision = nn::Precision::kF32;
  engine.level = nn::without_bf16(engine.level);
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  nn::HostDevice device(engine);
  return check_processor(setup::usable_cores(), std::string(to_string(engine.level)),
                         setup::measure_machine(device));
}

Finding examined_gpus(const std::string& wanted) {
  try {
    return check_gpus(nn::count_gpus(), nn::why_no_gpu(), wanted);
  } catch (const ConfigError& error) {
    return problem("GPUs", error.what(), "see docs/gpu.md");
  }
}

std::vector<Finding> examine_mpi(MpiTrial trial) {
  const bool is_root = geteuid() == 0;
  if (!trial.n_ranks) try_mpirun(is_root, output_of_command, trial);
  if (trial.n_ranks && is_rank_of_mpirun()) trial.lets_ranks_go_on = launcher_survives_losses();
  return check_mpi(trial, is_root);
}

void examine_files(const config::Experiment& experiment, std::vector<Finding>& findings) {
  const std::filesystem::path run = "runs/a";
  for (Finding& each : check_datasets(experiment.data.dir, experiment.data.dataset)) {
    findings.push_back(std::move(each));
  }
  findings.push_back(check_cache(worker::cache_folders(run)));
  findings.push_back(check_run_folder_place(run));
  const std::string temporary = variable("TMPDIR");
  findings.push_back(check_temporary_folder(temporary.empty() ? "/tmp" : temporary));
  findings.push_back(check_shared_memory("/dev/shm"));
}

}  // namespace

int doctor_command(const CommandLine& line, std::ostream& out) {
  MpiTrial trial = try_session();  // first, while there is one thread
  if (launcher_rank().value_or(0) != 0) return static_cast<int>(ExitCode::kDone);
  const double load = host_load();  // before what is tried here adds to it
  const config::Experiment experiment =
      setup::resolved(load_experiment(line, std::getenv("LIPIZZ_DATA_DIR")));
  std::vector<Finding> findings = examine_mpi(std::move(trial));
  findings.push_back(check_slots(experiment.grid, experiment.compute, setup::usable_cores(),
                                 slots_of_environment()));
  findings.push_back(check_scheduler(variable, slurm_time_left_s(output_of_command)));
  const std::optional<Finding> unfit = problem_of_settings(experiment);
  findings.push_back(unfit ? *unfit : examined_processor(experiment));
  findings.push_back(check_load(load, host_cores(), setup::usable_cores()));
  findings.push_back(check_memory({host_memory_bytes(), setup::memory_limits()}));
  findings.push_back(examined_gpus(experiment.compute.device));
  if (!unfit) examine_files(experiment, findings);
  findings.push_back(check_terminal(Terminal().style()));
  out << report_of(findings) << conclusion_of(findings);
  return static_cast<int>(has_problem(findings) ? ExitCode::kUsage : ExitCode::kDone);
}

}  // namespace lipizz::app
