#include "app/run_rank.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/run_estimate.hpp"
#include "app/run_inventory.hpp"
#include "comm/mpi_session.hpp"
#include "comm/setup_messages.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "core/time_slice.hpp"
#include "master/agreement.hpp"
#include "master/master.hpp"
#include "master/resumption.hpp"
#include "master/run_folder.hpp"
#include "nn/exec/devices.hpp"
#include "worker/speed.hpp"
#include "worker/translate.hpp"
#include "worker/worker.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::app {
namespace {

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// What one rank brings to the set-up. A failure goes to the master in the inventory, so that one
// rank reports it and all leave.
struct SetupData {
  config::Experiment experiment;
  comm::InventoryEntry entry;
};

void take_failure(comm::InventoryEntry& entry, const std::exception& failure) {
  const auto* const error = dynamic_cast<const Error*>(&failure);
  entry.exit_code = static_cast<std::int32_t>(error ? error->code() : ExitCode::kInternal);
  entry.error = failure.what();
}

SetupData bring(const LoadExperiment& load) {
  SetupData setup;
  try {
    const config::Experiment given = load();
    setup.experiment = worker::resolved(given);
    setup.entry = inventory_of_this_process(setup.experiment, config::hash(given));
  } catch (const std::exception& failure) {
    take_failure(setup.entry, failure);
  }
  return setup;
}

class SetUp {
 public:
  SetUp(std::vector<comm::InventoryEntry> inventory, config::Experiment experiment,
        const RunOptions& options)
      : inventory_(std::move(inventory)), experiment_(std::move(experiment)), options_(options) {}

  /// What holds for all ranks; cells have no places yet, and the run has no folder.
  comm::RunPlan agree() {
    master::check_agreement(inventory_);
    experiment_.numerics = master::agreed_numerics(inventory_, experiment_.numerics);
    const auto [device, note] = master::agreed_device(inventory_, experiment_.device);
    if (!note.empty()) notes_.push_back(note);
    nn::check_precision(device, nn::parse_precision(experiment_.precision));
    experiment_.device = device;
    experiment_.placement = master::agreed_placement(experiment_.placement, device);
    comm::RunPlan run_plan;
    const nn::ConvolutionTable convolutions = worker::convolutions_of(experiment_);
    experiment_.convolution_table_hash = to_hex(convolutions.hash());
    if (!experiment_.convolution_table.empty()) run_plan.convolution_table = convolutions.to_json();
    run_plan.experiment = config::to_json(experiment_);
    run_plan.numerics = experiment_.numerics;
    for (const comm::InventoryEntry& entry : inventory_) run_plan.hosts.push_back(entry.host);
    run_plan.devices = master::dealt_devices(inventory_, device);
    run_plan.go = !options_.dry_run;
    run_plan.asks_for_speed = run_plan.go && experiment_.placement == "measured";
    run_plan.survives_losses = options_.survives_losses;
    return run_plan;
  }

  /// The workers have measured how quickly they train.
  void take_speeds(std::vector<comm::InventoryEntry> inventory) {
    inventory_ = std::move(inventory);
    master::check_agreement(inventory_);
  }

  /// Places the cells and makes the run's folder, or finds it.
  void complete(comm::RunPlan& run_plan) {
    run_plan.asks_for_speed = false;
    run_plan.rank_of_cell = master::place_cells(inventory_, worker::torus_of(experiment_));
    if (options_.resume_dir.empty()) {
      if (options_.dry_run) master::check_run_folder(output_dir());
      if (run_plan.go) {
        run_plan.output_dir = master::make_run_folder(output_dir()).string();
        lock_.emplace(run_plan.output_dir);
      }
    } else {
      resume(run_plan);
    }
  }

  // Says why nothing is trained.
  void describe(const comm::RunPlan& run_plan) const {
    std::string text;
    for (const auto& line : notes_) text += line + "\n";
    if (options_.dry_run) {
      for (const auto& line : master::inventory_lines(inventory_, run_plan)) text += line + "\n";
      text += memory_estimate(experiment_, run_plan, inventory_);
    }
    print(text);
  }

  /// What the log should know about the start.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  [[nodiscard]] const config::Experiment& experiment() const { return experiment_; }
  [[nodiscard]] const std::vector<comm::InventoryEntry>& inventory() const { return inventory_; }

 private:
  void resume(comm::RunPlan& run_plan) {
    // Nobody changes the folder any more while it is looked at.
    const std::filesystem::path folder = master::existing_run_folder(options_.resume_dir);
    if (run_plan.go) lock_.emplace(folder);
    const master::Resumption from = master::find_resumption(folder, experiment_);
    run_plan.output_dir = from.folder.string();
    run_plan.start = from.start;
    append(notes_, from.notes);
    if (from.is_finished) run_plan.go = false;
  }

  [[nodiscard]] std::filesystem::path output_dir() const {
    if (!options_.output_dir.empty()) return options_.output_dir;
    return master::default_output_dir(experiment_.name, std::chrono::system_clock::now());
  }

  std::vector<comm::InventoryEntry> inventory_;
  config::Experiment experiment_;
  const RunOptions& options_;
  std::vector<std::string> notes_;
  std::optional<master::RunFolderLock> lock_;
};

// mpirun gives every rank a terminal of its own making; what counts is where mpirun itself writes.
bool writes_to_a_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return false;
  if (!comm::started_by_launcher()) return true;
  std::error_code failure;
  const std::string out =
      std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", failure);
  return out.starts_with("/dev/pts/") || out.starts_with("/dev/tty");
}

master::Console::Streams streams(bool is_quiet) {
  return {.out = print,
          .errors = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); },
          .is_terminal = writes_to_a_terminal(),
          .is_quiet = is_quiet};
}

master::Interruption interruption(const RunOptions& options, const Clock& clock) {
  return {.requested = options.stop_requested, .until_s = clock.now_s() + options.time_limit_s};
}

// Processes of the master's host that were given up. They may only sleep, and a launcher waits for
// all of its processes.
std::vector<std::uint32_t> lost_pids(const std::vector<comm::InventoryEntry>& inventory,
                                     const std::set<Rank>& lost) {
  std::vector<std::uint32_t> pids;
  for (const Rank rank : lost) {
    const comm::InventoryEntry& entry = inventory[static_cast<std::size_t>(rank.value)];
    if (entry.host == inventory.front().host) pids.push_back(entry.pid);
  }
  return pids;
}

std::vector<comm::InventoryEntry> gathered(comm::CommManager& comm,
                                           const comm::InventoryEntry& mine,
                                           std::string_view what) {
  std::vector<comm::InventoryEntry> inventory;
  for (const Bytes& entry : comm.gather_at_master(mine.encode(), what)) {
    inventory.push_back(comm::InventoryEntry::decode(entry));
  }
  return inventory;
}

Outcome run_master(comm::CommManager& comm, SetupData setup, const RunOptions& options,
                   const Clock& clock) {
  SetUp set_up(gathered(comm, setup.entry, "taking the inventory"), std::move(setup.experiment),
               options);
  comm::RunPlan run_plan;
  try {
    run_plan = set_up.agree();
    if (run_plan.asks_for_speed) {
      comm.broadcast_from_master(run_plan.encode(), "asking how quickly workers train");
      set_up.take_speeds(gathered(comm, setup.entry, "waiting for how quickly workers train"));
    }
    set_up.complete(run_plan);
  } catch (const Error& error) {
    run_plan = {};
    run_plan.exit_code = static_cast<std::int32_t>(error.code());
    comm.broadcast_from_master(run_plan.encode(), "sending the run plan");
    return {run_plan.exit_code, std::current_exception()};
  }
  comm.broadcast_from_master(run_plan.encode(), "sending the run plan");
  if (!run_plan.go) {
    set_up.describe(run_plan);
    return {};
  }
  comm.form_groups(master::groups_of(run_plan, worker::torus_of(set_up.experiment())));
  std::optional<master::Master> master;
  Outcome ended;
  try {
    master.emplace(comm, run_plan, set_up.experiment(), set_up.inventory(), set_up.notes(),
                   streams(options.quiet), interruption(options, clock), clock);
    ended.exit_code = static_cast<int>(master->run());
  } catch (const comm::PeerLost&) {
    throw;
  } catch (...) {
    std::error_code ignored;
    const bool is_worth_keeping = !options.resume_dir.empty() || (master && master->has_begun());
    if (!is_worth_keeping) std::filesystem::remove_all(run_plan.output_dir, ignored);
    if (!master) throw;  // the workers wait for its first word
    ended.error = std::current_exception();
  }
  ended.ending = master->ending();
  ended.lost_pids = lost_pids(set_up.inventory(), master->lost());
  return ended;
}

// Whether the workers of this rank's node outnumber its cores.
bool must_share_a_core(const comm::RunPlan& run_plan, Rank rank) {
  const auto host = [&](Rank r) { return run_plan.hosts[static_cast<std::size_t>(r.value)]; };
  const auto here = std::ranges::count(comm::active_in(run_plan.rank_of_cell), host(rank), host);
  return here > sysconf(_SC_NPROCESSORS_ONLN);
}

comm::RunPlan received_run_plan(comm::CommManager& comm) {
  return comm::RunPlan::decode(comm.broadcast_from_master({}, "waiting for the run plan"));
}

// A failure goes to the master in place of the speed.
void measure_speed(comm::InventoryEntry& entry, worker::WorkerContext& context,
                   const Clock& clock) {
  const config::Experiment& experiment = context.experiment();
  try {
    entry.speed = worker::measure_speed(context.device(), worker::settings_of(experiment),
                                        worker::torus_of(experiment).cells(), clock);
  } catch (const std::exception& error) {
    take_failure(entry, error);
  }
}

Outcome run_worker(comm::CommManager& comm, SetupData setup, const Clock& clock) {
  comm.gather_at_master(setup.entry.encode(), "taking the inventory");
  auto run_plan = received_run_plan(comm);
  if (!run_plan.go) return {run_plan.exit_code};
  worker::WorkerContext context(run_plan, comm.rank(), setup.experiment.data.dir);
  if (run_plan.asks_for_speed) {
    measure_speed(setup.entry, context, clock);
    comm.gather_at_master(setup.entry.encode(), "telling how quickly it trains");
    run_plan = received_run_plan(comm);
    if (!run_plan.go) return {run_plan.exit_code};
  }
  comm.form_groups(master::groups_of(run_plan, worker::torus_of(setup.experiment)));
  // Threads inherit it: on a crowded node a message waits for its core rather than take it from
  // another worker's training, whose caches it would cost.
  if (must_share_a_core(run_plan, comm.rank())) prefer_long_time_slices();
  const comm::Stop stop = worker::Worker(comm, run_plan, context, clock).run();
  return {.exit_code = stop.exit_code, .error = nullptr, .ending = stop.ending};
}

}  // namespace

Outcome run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
                 const Clock& clock, const AbortHandler& abort) {
  SetupData setup = bring(load);
  Outcome ended;
  std::exception_ptr failure;
  try {
    ended = comm.is_master() ? run_master(comm, std::move(setup), options, clock)
                             : run_worker(comm, std::move(setup), clock);
    if (ended.ending != comm::Ending::kAborted) return ended;
  } catch (const Error& error) {
    ended.exit_code = static_cast<int>(error.code());
    failure = std::current_exception();
  } catch (const std::exception& error) {
    ended.exit_code = static_cast<int>(ExitCode::kInternal);
    failure = std::make_exception_ptr(InternalError(error.what()));
  }
  abort(comm, ended.exit_code, failure);
  return {.exit_code = ended.exit_code};
}

}  // namespace lipizz::app
