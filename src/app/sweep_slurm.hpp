#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lipizz::app {

/// An array of tasks that train a sweep's runs together.
struct SweepArray {
  std::string name;
  std::filesystem::path program;  // absolute, as are all paths
  std::filesystem::path file;     // of the sweep
  std::filesystem::path folder;
  std::uint32_t n_tasks = 1;
  std::uint32_t n_cores = 1;  // of each task
  std::uint32_t n_jobs = 1;   // runs at a time in each
};

/// The script for sbatch. Each task claims runs until none is left; one that is told to leave saves
/// what it has and goes back to the queue. ConfigError where the folder's path is none that sbatch
/// takes.
std::string slurm_script(const SweepArray& array);

/// The text as a shell reads it as one word.
std::string shell_word(const std::string& text);

/// Gives the script to sbatch with these options in front, and returns what it prints, the job's
/// number. ConfigError where there is no sbatch, or it refuses; what it complains of is on the
/// console.
std::string submit(const std::filesystem::path& script, const std::vector<std::string>& options);

}  // namespace lipizz::app
