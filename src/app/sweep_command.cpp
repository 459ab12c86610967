#include "app/sweep_command.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <thread>

#include "app/child_process.hpp"
#include "app/config_check.hpp"
#include "app/stop_signals.hpp"
#include "app/sweep_shares.hpp"
#include "app/sweep_slurm.hpp"
#include "app/sweep_timing.hpp"
#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/duration_text.hpp"
#include "sweep/curves.hpp"
#include "sweep/report_files.hpp"
#include "sweep/runner.hpp"
#include "sweep/tables.hpp"
#include "sweep/texts.hpp"
#include "sweep/work_left.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRows = 40;  // of a table for people
constexpr std::chrono::milliseconds kPauseOfSweep(50);

// A sweep with its folder, and where it stands.
struct Sweep {
  fs::path file;
  sweep::Plan plan;
  sweep::SweepFolder folder;

  explicit Sweep(const CommandLine& line)
      : file(line.arguments.front()), plan(sweep::read_sweep(file)) {
    folder.root = line.run.output_dir.empty() ? fs::path("runs") / ("sweep-" + plan.sweep().name)
                                              : line.run.output_dir;
    try {
      plan.check_each(check_without_machine);
    } catch (const ConfigError& error) {
      throw ConfigError(file.string() + ": " + error.what());
    }
  }
};

sweep::Progress progress_of(const Sweep& sweep) {
  return sweep::ProgressReader(sweep.plan, sweep.folder).look(fs::file_time_type::clock::now());
}

std::uint32_t count_option(const CommandLine& line, const std::string& name, std::uint32_t highest,
                           std::uint32_t otherwise) {
  const std::string text = line.given.text(name);
  if (!line.given.has(name)) return otherwise;
  const auto count = parse_number<std::uint32_t>(text);
  if (count && *count >= 1 && *count <= highest) return *count;
  throw ConfigError("--" + name + ": expected a whole number from 1 to " + std::to_string(highest) +
                    ", found \"" + shortened(text) + "\"");
}

constexpr std::uint32_t kMostJobs = 4096;

std::vector<CoreShare> shares_of(const CommandLine& line, const Sweep& sweep) {
  const OwnCores own = own_cores(std::getenv("SLURM_CPUS_PER_TASK"));
  const std::uint32_t jobs =
      count_option(line, "jobs", kMostJobs, default_jobs(own, sweep.plan.sweep().base));
  return shares(own, jobs, config::cores_per_worker(sweep.plan.sweep().base));
}

// The first run that is left; null where none is.
const sweep::PlannedRun* first_left(const Sweep& sweep, const sweep::Progress& progress) {
  for (std::size_t i = 0; i < progress.runs.size(); ++i) {
    const sweep::RunState state = progress.runs[i].state;
    if (state == sweep::RunState::kWaiting || state == sweep::RunState::kStale) {
      return &sweep.plan.runs()[i];
    }
  }
  return nullptr;
}

void print_time_left(const Sweep& sweep, const sweep::Progress& progress,
                     const std::vector<CoreShare>& shares, std::ostream& out) {
  const sweep::WorkLeft left = work_left(sweep.plan, progress);
  const sweep::PlannedRun* const first = first_left(sweep, progress);
  if (first == nullptr) return;
  out << counted(left.n_generations, "generation") << " left in " << counted(left.n_runs, "run")
      << "; timing the first of them ..." << std::endl;
  StopSignals signals;
  const auto timing = time_run(sweep.plan.experiment(*first), shares.front(),
                               [&] { return !signals.requested().empty(); });
  if (!timing) return;
  out << "timing run: " << counted(timing->generations, "generation") << " in "
      << sweep::figure_text(timing->seconds) << " s with "
      << counted(shares.front().threads, "thread") << ", "
      << sweep::figure_text(timing->pace.s_per_generation) << " s each and "
      << sweep::figure_text(timing->pace.s_per_start) << " s beside them\n"
      << "if all are as quick, " << shares.size() << " at a time: about "
      << report::duration_text(seconds_for(left, timing->pace, shares.size())) << " in all\n";
}

// A run under this one.
class ChildRun final : public sweep::Child {
 public:
  ChildRun(const std::vector<std::string>& command, const ChildProcess::Surroundings& surroundings)
      : process_(command, {}, surroundings) {}
  std::optional<int> poll() override { return process_.poll(); }
  void stop() override { process_.signal(SIGUSR1); }

 private:
  ChildProcess process_;
};

sweep::Surroundings surroundings(const Sweep& sweep, const std::vector<CoreShare>& shares,
                                 StopSignals& signals, const Clock& clock, std::ostream& out) {
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const bool is_told_threads = sweep.plan.sweep().base.compute.threads > 0;
  return {.start =
              [=, &shares](const sweep::Start& start) {
                const CoreShare& share = shares[start.place];
                std::vector<std::string> command{program};
                append(command, start.arguments);
                if (!is_told_threads) {
                  append(command, {"--set", "threads=" + std::to_string(share.threads)});
                }
                return std::make_unique<ChildRun>(
                    command, ChildProcess::Surroundings{.log = start.log, .cores = share.cores});
              },
          .tell = [&out](const std::string& line) { out << line << std::endl; },
          .is_asked_to_stop = [&signals] { return !signals.requested().empty(); },
          .pause = [] { std::this_thread::sleep_for(kPauseOfSweep); },
          .clock = clock};
}

int train_here(const CommandLine& line, const Sweep& sweep, std::ostream& out) {
  const SystemClock clock;
  const std::vector<CoreShare> shares = shares_of(line, sweep);
  StopSignals signals;
  const auto others =
      line.given.has_flag("leave-rest") ? sweep::Others::kLeaveTo : sweep::Others::kWaitFor;
  sweep::Runner runner(sweep.plan, sweep.folder, shares.size(), others,
                       surroundings(sweep, shares, signals, clock, out));
  if (line.given.has_flag("retry")) runner.retry_failed();
  const int exit_code = runner.run();
  out << status_text(sweep.plan, sweep.folder, progress_of(sweep));
  return exit_code;
}

SweepArray sweep_array(const CommandLine& line, const Sweep& sweep, std::uint32_t n_left) {
  constexpr std::uint32_t kMostTasks = 10'000;
  constexpr std::uint32_t kDefaultTasks = 32;
  const config::Experiment& base = sweep.plan.sweep().base;
  const std::uint32_t cells = base.grid.rows * base.grid.columns;
  SweepArray array{.name = sweep.plan.sweep().name,
                   .program = fs::read_symlink("/proc/self/exe"),
                   .file = fs::absolute(sweep.file).lexically_normal(),
                   .folder = fs::absolute(sweep.folder.root).lexically_normal()};
  array.n_jobs = count_option(line, "jobs", kMostJobs, 1);
  array.n_tasks = count_option(line, "tasks", kMostTasks, std::min(n_left, kDefaultTasks));
  array.n_cores = array.n_jobs * (base.compute.threads > 0 ? base.compute.threads : cells) *
                  config::cores_per_worker(base);
  return array;
}

int train_in_array(const CommandLine& line, const Sweep& sweep, std::ostream& out) {
  const sweep::Progress progress = progress_of(sweep);
  const auto n_left = static_cast<std::uint32_t>(work_left(sweep.plan, progress).n_runs);
  const SweepArray array = sweep_array(line, sweep, n_left);
  if (n_left == 0) {
    out << "nothing is left to be trained\n" << counts_text(progress) << "\n";
    return static_cast<int>(ExitCode::kDone);
  }
  const std::string text = slurm_script(array);
  const fs::path script = array.folder / "array.sbatch";
  make_folders(array.folder);
  write_atomically(script, text);
  out << "script: " << script.string() << std::endl;
  if (line.given.has_flag("write-only")) return static_cast<int>(ExitCode::kDone);
  out << "job: " << submit(script, line.given.list("sbatch")) << "\n";
  return static_cast<int>(ExitCode::kDone);
}

// ConfigError for options of one way to train that the other would pass over.
void expect_all_read(const ParsedOptions& given) {
  const auto refuse = [&](const std::string& name, const std::string& why) {
    const bool is_given = std::ranges::any_of(
        given.typed, [&](const auto& option) { return option.string_key == name; });
    if (is_given) throw ConfigError("--" + name + " goes " + why);
  };
  if (!given.has_flag("slurm")) {
    for (const char* name : {"tasks", "sbatch", "write-only"}) refuse(name, "with --slurm");
    return;
  }
  refuse("retry",
         "without --slurm, each of whose tasks would try again what another has failed at; run "
         "`lipizz sweep run FILE --retry`, here or in a job of one task");
  refuse("leave-rest", "without --slurm, whose tasks leave the rest in any case");
  if (given.has_flag("write-only")) {
    refuse("sbatch", "without --write-only, which submits nothing; give it to sbatch by hand");
  }
}

}  // namespace

int plan_sweep_command(const CommandLine& line, std::ostream& out) {
  const bool is_timed = !line.given.has_flag("no-timing");
  if (!is_timed && line.given.has("jobs")) {
    throw ConfigError("--jobs goes without --no-timing, since it is for the time that is told");
  }
  const Sweep sweep(line);
  const std::vector<CoreShare> shares = shares_of(line, sweep);
  const sweep::Progress progress = progress_of(sweep);
  out << plan_text(sweep.plan, sweep.folder, progress, kMostRows);
  if (is_timed) print_time_left(sweep, progress, shares, out);
  return static_cast<int>(ExitCode::kDone);
}

int run_sweep_command(const CommandLine& line, std::ostream& out) {
  expect_all_read(line.given);
  const Sweep sweep(line);
  return line.given.has_flag("slurm") ? train_in_array(line, sweep, out)
                                      : train_here(line, sweep, out);
}

int sweep_status_command(const CommandLine& line, std::ostream& out) {
  const Sweep sweep(line);
  out << status_text(sweep.plan, sweep.folder, progress_of(sweep));
  return static_cast<int>(ExitCode::kDone);
}

int report_sweep_command(const CommandLine& line, std::ostream& out) {
  const Sweep sweep(line);
  const sweep::Progress progress = progress_of(sweep);
  const sweep::Figures figures = figures_of(sweep.plan, progress);
  if (figures.rows.empty()) {
    throw ConfigError(sweep.folder.root.string() +
                      ": expected the result of a run, found none; train some with `lipizz sweep "
                      "run`");
  }
  out << figures_text(sweep.plan, figures, kMostRows) << axes_text(sweep.plan, figures) << "\n"
      << rungs_text(sweep.plan, progress);
  for (const std::string& note : figures.notes) out << note << "\n";
  for (const fs::path& file : write_report(sweep.plan, sweep.folder, progress, figures)) {
    out << file.string() << "\n";
  }
  if (line.given.has_flag("curves")) {
    const fs::path file = sweep.folder.report() / "curves.csv";
    write_atomically(file, curves_csv(sweep.plan, progress, figures));
    out << file.string() << "\n";
  }
  return static_cast<int>(ExitCode::kDone);
}

}  // namespace lipizz::app
