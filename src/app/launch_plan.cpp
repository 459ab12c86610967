#include "app/launch_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iterator>

#include "app/child_process.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app {
namespace {

constexpr std::uint32_t kMostHosts = 100'000;
constexpr int kSignals = 32;

bool names_hosts(const std::string& option) {
  return option == "--host" || option == "-host" || option == "-H";
}

std::vector<std::string> words_of(const std::string& text, char separator) {
  std::vector<std::string> words = split(text, separator);
  std::erase(words, "");
  return words;
}

// `2(x3),1` says 2, 2, 2, 1.
std::vector<std::uint32_t> repeated(const std::string& text) {
  std::vector<std::uint32_t> all;
  for (const std::string& part : words_of(text, ',')) {
    const std::size_t times = part.find("(x");
    const auto n = parse_number<std::uint32_t>(part.substr(0, times));
    const auto count =
        times == std::string::npos
            ? std::optional(1U)
            : parse_number<std::uint32_t>(part.substr(times + 2, part.size() - times - 3));
    if (!n || !count || *count > kMostHosts) return {};
    all.insert(all.end(), *count, *n);
  }
  return all;
}

bool places_ranks(const std::string& option) {
  constexpr std::array kPlacing{"map-by", "bynode", "byslot", "rankfile", "rf", "npernode", "ppr"};
  const std::size_t name = option.find_first_not_of('-');
  return option.starts_with('-') && name != std::string::npos &&
         std::ranges::find(kPlacing, option.substr(name)) != kPlacing.end();
}

std::vector<std::string> mpirun_in(const LaunchPlace& place) {
  if (place.is_root) return {"mpirun", "--allow-run-as-root"};
  return {"mpirun"};
}

}  // namespace

std::vector<Host> named_hosts(const std::vector<std::string>& mpirun_options) {
  const auto option = std::ranges::find_if(mpirun_options, names_hosts);
  if (option == mpirun_options.end() || std::next(option) == mpirun_options.end()) return {};
  std::vector<Host> hosts;
  for (const std::string& each : words_of(*std::next(option), ',')) {
    const std::size_t colon = each.find(':');
    const auto slots = colon == std::string::npos
                           ? std::optional(1U)
                           : parse_number<std::uint32_t>(each.substr(colon + 1));
    hosts.push_back({each.substr(0, colon), slots.value_or(1)});
  }
  return hosts;
}

std::vector<Host> slurm_hosts(const std::function<std::string(const std::string& command)>& run) {
  const char* tasks = std::getenv("SLURM_TASKS_PER_NODE");
  if (tasks == nullptr || std::getenv("SLURM_JOB_NODELIST") == nullptr) return {};
  const std::vector<std::string> names =
      words_of(run("scontrol show hostnames \"$SLURM_JOB_NODELIST\""), '\n');
  const std::vector<std::uint32_t> slots = repeated(tasks);
  if (names.size() != slots.size()) return {};
  std::vector<Host> hosts;
  for (std::size_t i = 0; i < names.size(); ++i) hosts.push_back({names[i], slots[i]});
  return hosts;
}

std::vector<std::string> on_hosts(const std::vector<std::string>& mpirun_options,
                                  const std::vector<Host>& hosts) {
  std::vector<std::string> options = mpirun_options;
  const auto named = std::ranges::find_if(options, names_hosts);
  if (named != options.end()) options.erase(named, std::min(named + 2, options.end()));
  std::vector<std::string> list;
  for (const Host& host : hosts) list.push_back(host.name + ":" + std::to_string(host.slots));
  append(options, {"--host", join(list, ",")});
  return options;
}

std::uint32_t ranks_for_gpus(const std::string& device, std::uint32_t n_gpus,
                             std::uint32_t ranks_per_cell) {
  if (n_gpus == 0 || device == "cpu" || device == "cuda+cpu") return 0;
  const std::uint32_t n = device == "cuda" || device == "auto" ? n_gpus : 1;
  return n < ranks_per_cell ? n : n - n % ranks_per_cell;
}

std::uint32_t useful_workers(std::uint32_t n_cells, std::uint32_t for_gpus_of_a_host,
                             std::size_t n_hosts, std::uint32_t ranks_per_cell) {
  if (for_gpus_of_a_host == 0) return n_cells;
  const std::size_t n_workers = n_hosts * for_gpus_of_a_host / ranks_per_cell;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(n_workers, 1, n_cells));
}

std::vector<std::string> in_turn(const std::vector<std::string>& mpirun_options) {
  if (std::ranges::any_of(mpirun_options, places_ranks)) return mpirun_options;
  std::vector<std::string> options{"--map-by", "node"};
  append(options, mpirun_options);
  return options;
}

std::vector<Host> filled_in_order(std::span<const Host> hosts, std::uint32_t n_of_host,
                                  std::uint32_t n_ranks,
                                  const std::vector<std::string>& mpirun_options,
                                  bool is_scheduled) {
  const std::vector<Host> unchanged(hosts.begin(), hosts.end());
  const bool has_room = 1 + std::uint64_t{n_of_host} * hosts.size() >= n_ranks;
  if (!has_room || std::ranges::any_of(mpirun_options, places_ranks)) return unchanged;
  std::vector<Host> filled = unchanged;
  for (Host& host : filled) {
    const std::uint32_t n = n_of_host + (&host == &filled.front() ? 1 : 0);
    if (is_scheduled && host.slots < n) return unchanged;
    host.slots = n;
  }
  return filled;
}

std::vector<std::string> unbound(const std::vector<std::string>& mpirun_options) {
  constexpr std::array kBinding{"bind-to", "PE=",      "cpus-per", "cpu-set", "cpu-list",
                                "bycore",  "rankfile", "-rf",      "binding"};
  const auto binds = [&](const std::string& option) {
    return std::ranges::any_of(
        kBinding, [&](const char* word) { return option.find(word) != std::string::npos; });
  };
  if (std::ranges::any_of(mpirun_options, binds)) return mpirun_options;
  std::vector<std::string> options{"--bind-to", "none"};
  append(options, mpirun_options);
  return options;
}

std::uint32_t n_ranks(const LaunchOptions& options, std::uint32_t n_useful,
                      std::optional<std::uint32_t> n_slots, std::uint32_t ranks_per_cell) {
  const auto with = [&](std::uint32_t n_workers) {
    return 1 + (n_workers + options.spares) * ranks_per_cell;
  };
  if (options.workers > 0) return with(options.workers);
  if (!n_slots) return with(n_useful);
  if (*n_slots < with(1)) {
    throw ConfigError(
        "this job has room for " + std::to_string(*n_slots) +
        " ranks; expected one for the master, " + std::to_string(options.spares * ranks_per_cell) +
        " for spares and at least " + std::to_string(ranks_per_cell) + " for a worker");
  }
  return with(std::min(n_useful, (*n_slots - 1) / ranks_per_cell - options.spares));
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
                                        const LaunchPlace& place) {
  std::vector<std::string> command = mpirun_in(place);
  if (!place.is_scheduled) command.emplace_back("--oversubscribe");
  if (options.spares > 0) command.emplace_back("--enable-recovery");
  append(command, {"-np", std::to_string(ranks)});
  append(command, options.mpirun_options);
  return command;
}

std::vector<std::string> question_to(const Host& host, const LaunchOptions& options,
                                     const LaunchPlace& place) {
  std::vector<std::string> command = mpirun_in(place);
  append(command, {"-np", "1"});
  append(command, on_hosts(options.mpirun_options, {{host.name, 1}}));
  command.emplace_back("true");
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

bool is_hopeless(const LaunchEnd& end) {
  const auto was_killed = [&](int signal) { return end.exit_code == kEndedBySignal + signal; };
  return !end.has_started && !was_killed(SIGKILL) && !was_killed(SIGTERM);
}

std::string described(const LaunchEnd& end) {
  std::string text = "exit code " + std::to_string(end.exit_code);
  if (end.exit_code > kEndedBySignal && end.exit_code < kEndedBySignal + kSignals) {
    text += " (killed by signal " + std::to_string(end.exit_code - kEndedBySignal) + ")";
  }
  return text;
}

std::optional<std::uint32_t> slots_of_environment() {
  const char* value = std::getenv("SLURM_NTASKS");
  return value == nullptr ? std::nullopt : parse_number<std::uint32_t>(value);
}

bool is_in_a_scheduled_job() {
  constexpr std::array kVariables{"SLURM_JOB_ID", "PBS_NODEFILE", "PE_HOSTFILE"};
  return std::ranges::any_of(kVariables,
                             [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace lipizz::app
