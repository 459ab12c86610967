#include "app/launch.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <system_error>
#include <thread>

#include "app/child_process.hpp"
#include "app/mpirun_attempt.hpp"
#include "app/session_folder.hpp"
#include "app/stop_signals.hpp"
#include "app/time_limit.hpp"
#include "core/text.hpp"
#include "master/run_folder.hpp"
#include "setup/inventory.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr Seconds kToAnswer(30);  // for a host
constexpr Seconds kToLetGo(60);   // for ranks of a dead mpirun to leave the run's folder

std::uint32_t n_slots(const std::vector<Host>& hosts) {
  return std::accumulate(hosts.begin(), hosts.end(), 0U,
                         [](std::uint32_t sum, const Host& host) { return sum + host.slots; });
}

// A run that has its configuration goes on; a folder without one never began.
bool has_begun(const fs::path& run) {
  std::error_code none;
  return fs::is_regular_file(run / "config.json", none);
}

// Ranks live a moment longer than a killed mpirun.
void wait_until_left(const fs::path& run) {
  const TimePoint begin = std::chrono::steady_clock::now();
  while (master::RunFolderLock::is_held(run) && since(begin) < kToLetGo) {
    std::this_thread::sleep_for(kPause);
  }
}

bool answers(const Host& host, const LaunchOptions& options) {
  std::vector<std::string> command{"mpirun", "-np", "1"};
  append(command, on_hosts(options.mpirun_options, {{host.name, 1}}));
  command.emplace_back("true");
  ChildProcess probe(command, {kOverlap});
  const TimePoint begin = std::chrono::steady_clock::now();
  while (!probe.poll() && since(begin) < kToAnswer) std::this_thread::sleep_for(kPause);
  return probe.poll() == 0;
}

// One after the other: a scheduler's steps would wait for each other.
std::vector<Host> living(const std::vector<Host>& hosts, const LaunchOptions& options) {
  std::vector<Host> all;
  std::ranges::copy_if(hosts, std::back_inserter(all),
                       [&](const Host& host) { return answers(host, options); });
  return all;
}

// One run under mpirun, started as often as it takes.
class Launcher {
 public:
  Launcher(const LaunchOptions& options, const config::Experiment& experiment, fs::path run,
           double time_limit_s, const Tell& tell)
      : options_(options),
        run_(std::move(run)),
        time_limit_s_(time_limit_s),
        tell_(tell),
        hosts_(named_hosts(options.mpirun_options)) {
    if (hosts_.empty()) hosts_ = slurm_hosts(output_of_command);
    const std::uint32_t n_cells = experiment.grid.rows * experiment.grid.columns;
    // The GPUs of the other hosts are not known before ranks run there.
    const std::uint32_t n_useful = useful_workers(
        n_cells, workers_for_gpus(experiment.compute.device, setup::usable_gpus(experiment)),
        std::max<std::size_t>(1, hosts_.size()));
    n_ranks_ = n_ranks(options, n_useful, slots_of_environment());
    if (n_useful < n_cells && options.workers == 0) {
      tell_("launch: a worker for each GPU, " + std::to_string(n_useful) + " in all");
      if (hosts_.size() > 1) options_.mpirun_options = in_turn(options_.mpirun_options);
    }
  }

  int run() {
    for (std::uint32_t n_restarts = 0;; ++n_restarts) {
      const LaunchEnd end = attempt();
      if (!is_worth_a_restart(end) || !signals_.requested().empty()) return end.exit_code;
      const std::string what = "launch: mpirun ended with " + described(end) + "; ";
      if (n_restarts == options_.restarts) {
        tell_(what + "it was started " + std::to_string(n_restarts + 1) +
              " times, which is enough");
        return end.exit_code;
      }
      tell_(what + "restart " + std::to_string(n_restarts + 1) + " of " +
            std::to_string(options_.restarts));
      leave_lost_hosts();
      wait_until_left(run_);
      master::remove_unbegun_run(run_);
    }
  }

 private:
  LaunchEnd attempt() {
    const SessionFolder session;
    auto command = mpirun_command(options_, n_ranks_, is_in_a_scheduled_job());
    append(command, {"--report-uri", session.uri_file().string(),
                     fs::read_symlink("/proc/self/exe").string()});
    append(command, training_arguments(options_, run_, has_begun(run_),
                                       time_limit_s_ - since(begin_).count()));
    tell_("launch: " + join(command, " "));
    return MpirunAttempt(command, session, run_).wait(signals_);
  }

  // A run goes on with any number of ranks, so fewer hosts will do.
  void leave_lost_hosts() {
    const std::vector<Host> left = living(hosts_, options_);
    if (left.empty() || left.size() == hosts_.size()) return;
    tell_("launch: going on with " + std::to_string(left.size()) + " of " +
          std::to_string(hosts_.size()) + " hosts");
    hosts_ = left;
    options_.mpirun_options = on_hosts(options_.mpirun_options, hosts_);
    if (is_in_a_scheduled_job()) n_ranks_ = std::clamp(n_slots(hosts_), 2U, n_ranks_);
  }

  StopSignals signals_{true};
  TimePoint begin_ = std::chrono::steady_clock::now();
  LaunchOptions options_;
  std::uint32_t n_ranks_ = 0;
  fs::path run_;
  double time_limit_s_;
  const Tell& tell_;
  std::vector<Host> hosts_;
};

}  // namespace

int launch(const LaunchOptions& options, const config::Experiment& experiment, const fs::path& run,
           double time_limit_s, const Tell& tell) {
  return Launcher(options, experiment, run, time_limit_s, tell).run();
}

}  // namespace lipizz::app
