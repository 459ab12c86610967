#include "app/launch_command.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "app/launch.hpp"
#include "app/launcher.hpp"
#include "app/load_experiment.hpp"
#include "core/error.hpp"
#include "master/resumption.hpp"
#include "master/run_folder.hpp"

namespace lipizz::app {

int launch_command(const CommandLine& line, std::ostream& /*out*/) {
  if (is_rank_of_mpirun()) {
    throw ConfigError(
        "launch starts mpirun itself; start it without mpirun, or train on the ranks that mpirun "
        "has started with lipizz train");
  }
  const config::Experiment experiment = checked_experiment(line);
  const std::filesystem::path& resumed = line.run.resume_dir;
  std::filesystem::path output = line.run.output_dir;
  if (output.empty()) {
    output = master::default_output_dir(experiment.name, std::chrono::system_clock::now(),
                                        name_of_process());
  }
  const std::filesystem::path run =
      resumed.empty() ? master::check_run_folder(output) : master::existing_run_folder(resumed);
  return launch(line.launch, experiment, run, line.run.time_limit_s, [](const std::string& text) {
    std::fprintf(stderr, "lipizz: %s\n", text.c_str());
  });
}

}  // namespace lipizz::app
