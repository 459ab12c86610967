#include "app/sweep_slurm.hpp"

#include <fmt/format.h>

#include "app/command_output.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

// The value of --output for tasks in that folder. sbatch takes the quotes off, and a `%` that
// stands for itself is doubled; a backslash would keep it from filling in numbers.
std::string log_pattern(const std::filesystem::path& folder) {
  std::string pattern;
  for (const char c : folder.string()) {
    if (c == '"' || c == '\\' || c == '\n') {
      throw ConfigError(
          "--slurm: expected a folder that sbatch can write logs into, found a double quote, a "
          "backslash or a line break in its path, " +
          printable(shortened(folder.string())) + "; name another one with --output");
    }
    pattern += c == '%' ? "%%" : std::string(1, c);
  }
  return "\"" + pattern + "/slurm-%A-%a.log\"";
}

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string slurm_script(const SweepArray& array) {
  const std::string command = fmt::format(
      "{} sweep run {} --output {} --jobs {} --leave-rest", shell_word(array.program.string()),
      shell_word(array.file.string()), shell_word(array.folder.string()), array.n_jobs);
  return fmt::format(R"(#!/bin/bash
#SBATCH --job-name={}
#SBATCH --array=1-{}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={}
#SBATCH --output={}
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
# Written by `lipizz sweep run --slurm`. Each task claims runs until none is left. Slurm sends USR1
# ahead of the end: what a task has is saved then, and it goes back to the queue.
set -u
readonly resumable=75
{} &
pid=$!
trap 'kill -USR1 "$pid"' USR1 TERM
# A signal ends a wait, not what is waited for.
while kill -0 "$pid" 2>/dev/null; do wait "$pid"; done
wait "$pid"
code=$?
if [ "$code" = "$resumable" ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$code"
)",
                     array.name, array.n_tasks, array.n_cores, log_pattern(array.folder), command);
}

std::string submit(const std::filesystem::path& script, const std::vector<std::string>& options) {
  std::string command = "sbatch --parsable";
  for (const std::string& option : options) command += " " + shell_word(option);
  std::string job = output_of_command(command + " " + shell_word(script.string()));
  while (!job.empty() && job.back() == '\n') job.pop_back();
  if (!job.empty()) return job;
  throw ConfigError("sbatch took no job: it is not there, or has refused " + script.string() +
                    "; submit it by hand with `sbatch " + script.string() +
                    "` to see why, or train here without --slurm");
}

}  // namespace lipizz::app
