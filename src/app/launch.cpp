#include "app/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>

#include "app/command_output.hpp"
#include "app/host_check.hpp"
#include "app/launcher.hpp"
#include "app/lost_processes.hpp"
#include "app/mpirun_attempt.hpp"
#include "app/restarts.hpp"
#include "app/session_folder.hpp"
#include "app/stop_signals.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "core/error.hpp"
#include "core/random_id.hpp"
#include "core/text.hpp"
#include "master/run_folder.hpp"
#include "setup/inventory.hpp"
#include "setup/layout.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr Seconds kToAnswer(30);  // for a host
constexpr Seconds kToLeave(2);    // for the agents of a dead mpirun
constexpr Seconds kToLetGo(60);   // for its ranks to leave, and to let go of the run's folder

std::uint32_t n_slots(const std::vector<Host>& hosts) {
  return std::accumulate(hosts.begin(), hosts.end(), 0U,
                         [](std::uint32_t sum, const Host& host) { return sum + host.slots; });
}

// Room for ranks beside the master: in the job, on the hosts that are named, or on cores of here,
// so many to a rank; 0 in a job that does not tell.
std::uint32_t n_rooms(const std::vector<Host>& hosts, bool is_scheduled, std::uint32_t n_cores) {
  const std::optional<std::uint32_t> of_job = slots_of_environment();
  if (!of_job && hosts.empty()) {
    return is_scheduled ? 0 : std::max(1U, setup::usable_cores() / n_cores);
  }
  const std::uint32_t named = hosts.empty() ? *of_job : n_slots(hosts);
  return std::max(2U, std::min(named, of_job.value_or(named))) - 1;
}

// As many ranks as there is room for become workers and helpers.
void expect_no_number_of_workers(const LaunchOptions& options) {
  if (options.workers == 0 && options.spares == 0) return;
  throw ConfigError(
      "layout: auto decides how many workers there are; leave --workers and --spares out, or say "
      "layout given");
}

// One run under mpirun, started as often as it takes.
class Launcher {
 public:
  Launcher(const LaunchOptions& options, const config::Experiment& experiment, fs::path run,
           double time_limit_s, const Tell& tell)
      : options_(options),
        experiment_(experiment),
        run_(std::move(run)),
        checkpoints_(run_, setup::torus_of(experiment).cells()),
        restarts_(options.restarts),
        time_limit_s_(time_limit_s),
        tell_(tell),
        hosts_(named_hosts(options.mpirun_options)) {
    if (hosts_.empty()) hosts_ = slurm_hosts(output_of_command);
    const std::uint32_t n_cells = setup::torus_of(experiment).cells();
    // The GPUs of the other hosts are not known before ranks run there.
    const std::uint32_t for_gpus =
        ranks_for_gpus(experiment.compute.device, setup::usable_gpus(experiment),
                       experiment.compute.ranks_per_cell);
    std::uint32_t n_useful =
        useful_workers(n_cells, for_gpus, std::max<std::size_t>(1, hosts_.size()),
                       experiment.compute.ranks_per_cell);
    ranks_.by_layout = experiment.compute.layout == "auto" && for_gpus == 0;
    if (ranks_.by_layout) {
      expect_no_number_of_workers(options);
      n_useful =
          useful_ranks(n_rooms(hosts_, place_.is_scheduled, experiment.compute.threads_per_worker));
    }
    ranks_.n =
        n_ranks(options, n_useful, slots_of_environment(), experiment_.compute.ranks_per_cell);
    if (for_gpus > 0 && options.workers == 0) deal_out_gpus(for_gpus, n_useful);
    if (experiment.compute.threads_per_worker > 1) {
      options_.mpirun_options = unbound(options_.mpirun_options);
    }
  }

  int run() {
    for (;;) {
      const Generation saved = checkpoints_.newest_with_all_files();
      const LaunchEnd end = attempt();
      if (!is_worth_a_restart(end) || is_asked_to_stop()) return end.exit_code;
      if (!may_start_again(end, checkpoints_.newest_with_all_files() > saved)) {
        return is_asked_to_stop() && goes_on() ? static_cast<int>(ExitCode::kResumable)
                                               : end.exit_code;
      }
      wait_while(kToLetGo, [this] { return master::RunFolderLock::is_held(run_); });
    }
  }

 private:
  // Workers go where GPUs are, each beside its helpers.
  void deal_out_gpus(std::uint32_t n_of_host, std::uint32_t n_workers) {
    const std::uint32_t n_ranks = experiment_.compute.ranks_per_cell;
    tell_("launch: " + std::string(n_ranks == 1 ? "a worker" : "a rank of a cell") +
          " for each GPU, " + counted(n_workers, "worker") + " in all");
    if (hosts_.size() < 2) return;
    if (n_ranks == 1) {
      options_.mpirun_options = in_turn(options_.mpirun_options);
    } else {
      ranks_.of_host = n_of_host;
      name_hosts();
    }
  }

  void name_hosts() {
    const std::vector<std::string>& options = options_.mpirun_options;
    const std::vector<Host> named =
        ranks_.of_host == 0
            ? hosts_
            : filled_in_order(hosts_, ranks_.of_host, ranks_.n, options, place_.is_scheduled);
    options_.mpirun_options = on_hosts(options, named);
  }

  LaunchEnd attempt() {
    const SessionFolder session;
    auto command = mpirun_command(options_, ranks_.n, place_);
    append(command, {"-x", kExitCodeFile, "-x", kLaunchId, "--report-uri",
                     session.uri_file().string(), fs::read_symlink("/proc/self/exe").string()});
    append(command,
           training_arguments(options_, run_, goes_on(), time_limit_s_ - since(begin_).count()));
    tell_("launch: " + join(command, " "));
    const LaunchEnd end = started(command, session)->wait(signals_);
    orphans_.end();  // as long as they are there, they write into the session's folder
    return end;
  }

  std::unique_ptr<MpirunAttempt> started(const std::vector<std::string>& command,
                                         const SessionFolder& session) {
    try {
      return std::make_unique<MpirunAttempt>(command, session, run_, id_);
    } catch (const ConfigError& error) {
      throw ConfigError(std::string(error.what()) +
                        "; install Open MPI (Debian: openmpi-bin), or train in one process with "
                        "lipizz train");
    }
  }

  // Says what comes next, and pauses before it.
  bool may_start_again(const LaunchEnd& end, bool has_progressed) {
    const std::string what = "launch: mpirun ended with " + described(end);
    if (!leave_lost_hosts() && is_hopeless(end)) {
      tell_(what +
            " before the run began; the same command would end alike, and mpirun says above "
            "what is wrong with it");
      return false;
    }
    const auto pause_s = restarts_.next(has_progressed);
    if (!pause_s) {
      tell_(what + "; it was started again " + std::to_string(restarts_.at_most()) +
            " times without saving another generation, which is enough");
      return false;
    }
    const std::string when = *pause_s > 0 ? " in " + number_text(*pause_s) + " s" : "";
    tell_(what + "; restart " + std::to_string(restarts_.count()) + " of " +
          std::to_string(restarts_.at_most()) + when);
    wait_while(Seconds(*pause_s), [this] { return !is_asked_to_stop(); });
    return !is_asked_to_stop();
  }

  // A run goes on with any number of ranks, so fewer hosts will do. True where some are left out.
  bool leave_lost_hosts() {
    const auto question = [this](const Host& host) { return question_to(host, options_, place_); };
    const std::vector<Host> left =
        answering(hosts_, question, {kOverlap, mark_of_launch(id_)}, kToAnswer);
    if (left.empty() || left.size() == hosts_.size()) return false;
    tell_("launch: going on with " + std::to_string(left.size()) + " of " +
          std::to_string(hosts_.size()) + " hosts");
    hosts_ = left;
    const bool have_room = fit_onto_hosts();
    name_hosts();
    return have_room;
  }

  // No more ranks than GPUs or a scheduler's slots want. False where a worker has no room.
  bool fit_onto_hosts() {
    const std::uint32_t n_of_cell = experiment_.compute.ranks_per_cell;
    if (ranks_.of_host > 0) {
      const std::uint32_t n_cells = setup::torus_of(experiment_).cells();
      const std::uint32_t n = useful_workers(n_cells, ranks_.of_host, hosts_.size(), n_of_cell);
      ranks_.n = std::min(ranks_.n, n_ranks(options_, n, std::nullopt, n_of_cell));
    }
    if (!place_.is_scheduled) return true;
    const std::uint32_t n_others = std::max(1U, n_slots(hosts_)) - 1;
    const std::uint32_t n_workers = n_others / n_of_cell;
    if (n_workers == 0) {
      tell_("launch: the hosts that are left have no room for a master and " +
            std::to_string(n_of_cell) +
            " ranks; lipizz launch --resume goes on with a smaller ranks_per_cell (and "
            "pipeline.stages)");
      return false;
    }
    const std::uint32_t n = ranks_.by_layout ? useful_ranks(n_others) : n_workers * n_of_cell;
    ranks_.n = std::min(ranks_.n, 1 + n);
    return true;
  }

  // With `layout` "auto"; where nothing is known of the room, a worker for each cell.
  [[nodiscard]] std::uint32_t useful_ranks(std::uint32_t n_room) const {
    const std::uint32_t n_cells = setup::torus_of(experiment_).cells();
    if (n_room == 0) return n_cells;
    const std::uint32_t n = setup::useful_ranks(experiment_, n_room);
    return place_.is_scheduled ? n : std::max(n, n_cells);
  }

  // A run that somebody else began in the folder meanwhile is theirs, and ours is refused there.
  [[nodiscard]] bool goes_on() const {
    return !options_.resume_dir.empty() ||
           (master::has_begun(run_) && master::RunFolderLock::last_holder(run_) == id_);
  }

  bool is_asked_to_stop() { return !signals_.requested().empty(); }

  template <class Condition>
  void wait_while(Seconds at_most, const Condition& condition) {
    const TimePoint begin = std::chrono::steady_clock::now();
    while (condition() && since(begin) < at_most) std::this_thread::sleep_for(kPause);
  }

  StopSignals signals_;
  TimePoint begin_ = std::chrono::steady_clock::now();
  const std::string id_ = random_id();
  const Orphans orphans_{mark_of_launch(id_), kToLetGo, kToLeave};
  const LaunchPlace place_{.is_scheduled = is_in_a_scheduled_job(), .is_root = geteuid() == 0};
  LaunchOptions options_;
  config::Experiment experiment_;
  struct {
    std::uint32_t n = 0;
    std::uint32_t of_host = 0;  // that has GPUs for so many; 0: as mpirun fills it
    bool by_layout = false;     // `auto` decides how many a cell has
  } ranks_;
  fs::path run_;
  checkpoint::RunCheckpoints checkpoints_;
  Restarts restarts_;
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
