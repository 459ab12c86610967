#include "app/launch_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"

namespace lipizz::app {
namespace {

constexpr int kKilled = 128;  // what is added to a signal's number

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::uint32_t n_ranks(const LaunchOptions& options, std::uint32_t n_cells,
                      std::optional<std::uint32_t> n_slots) {
  const std::uint32_t others = 1 + options.spares;
  if (options.workers > 0) return options.workers + others;
  if (!n_slots) return n_cells + others;
  if (*n_slots <= others) {
    throw ConfigError("this job has room for " + std::to_string(*n_slots) +
                      " ranks; expected one for the master, " + std::to_string(options.spares) +
                      " for spares and at least one worker");
  }
  return std::min(n_cells, *n_slots - others) + others;
}

std::vector<std::string> training_arguments(const LaunchOptions& options,
                                            const std::filesystem::path& run, bool has_begun,
                                            double time_left_s) {
  const bool is_new = options.resume_dir.empty();
  std::vector<std::string> arguments{has_begun || !is_new ? "--resume" : "--output", run.string()};
  // The run has them in its own configuration once it has begun.
  if (!has_begun || !is_new) append(arguments, options.training);
  append(arguments, options.watching);
  if (std::isfinite(time_left_s)) {
    append(arguments, {"--time-limit", std::to_string(std::max(1L, std::lround(time_left_s)))});
  }
  return arguments;
}

std::vector<std::string> mpirun_command(const LaunchOptions& options, std::uint32_t ranks,
                                        bool is_scheduled) {
  std::vector<std::string> command{"mpirun"};
  if (!is_scheduled) command.emplace_back("--oversubscribe");
  append(command, {"-np", std::to_string(ranks)});
  append(command, options.mpirun_options);
  return command;
}

bool is_worth_a_restart(const LaunchEnd& end) {
  if (end.has_result) return false;
  const auto is = [&](ExitCode code) { return end.exit_code == static_cast<int>(code); };
  // Anything else is mpirun's own (1), a lost rank (3), or a signal.
  return !is(ExitCode::kDone) && !is(ExitCode::kUsage) && !is(ExitCode::kData) &&
         !is(ExitCode::kNumerics) && !is(ExitCode::kCheckpoint) && !is(ExitCode::kInternal) &&
         !is(ExitCode::kResumable);
}

std::string described(const LaunchEnd& end) {
  std::string text = "exit code " + std::to_string(end.exit_code);
  if (end.exit_code > kKilled) {
    text += " (killed by signal " + std::to_string(end.exit_code - kKilled) + ")";
  }
  return text;
}

std::optional<std::uint32_t> slots_of_environment() {
  const char* value = std::getenv("SLURM_NTASKS");
  if (value == nullptr) return std::nullopt;
  const std::string_view text = value;
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

bool is_in_a_scheduled_job() {
  constexpr std::array kVariables{"SLURM_JOB_ID", "PBS_NODEFILE", "PE_HOSTFILE"};
  return std::ranges::any_of(kVariables,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace lipizz::app
