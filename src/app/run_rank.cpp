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
#include "worker/pace.hpp"
#include "worker/translate.hpp"
#include "worker/worker.hpp"
#include "worker/workplace.hpp"

namespace lipizz::app {
namespace {

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// What one rank brings to the set-up. A failure goes to the master in the inventory, so that one
// rank reports it and all leave.
struct Brought {
  config::Experiment experiment;
  comm::InventoryEntry entry;
};

void take_failure(comm::InventoryEntry& entry, const std::exception& failure) {
  const auto* const error = dynamic_cast<const Error*>(&failure);
  entry.exit_code = static_cast<std::int32_t>(error ? error->code() : ExitCode::kInternal);
  entry.error = failure.what();
}

Brought bring(const LoadExperiment& load) {
  Brought brought;
  try {
    const config::Experiment given = load();
    brought.experiment = worker::resolved(given);
    brought.entry = inventory_of_this_process(brought.experiment, config::hash(given));
  } catch (const std::exception& failure) {
    take_failure(brought.entry, failure);
  }
  return brought;
}

class SetUp {
 public:
  SetUp(std::vector<comm::InventoryEntry> inventory, config::Experiment experiment,
        const RunOptions& options)
      : inventory_(std::move(inventory)), experiment_(std::move(experiment)), options_(options) {}

  /// What holds for all ranks; cells have no places yet, and the run has no folder.
  comm::Verdict agree() {
    master::check_agreement(inventory_);
    experiment_.numerics = master::agreed_numerics(inventory_, experiment_.numerics);
    const auto [device, note] = master::agreed_device(inventory_, experiment_.device);
    if (!note.empty()) notes_.push_back(note);
    nn::check_precision(device, nn::parse_precision(experiment_.precision));
    experiment_.device = device;
    experiment_.placement = master::agreed_placement(experiment_.placement, device);
    comm::Verdict verdict;
    const nn::ConvolutionTable convolutions = worker::convolutions_of(experiment_);
    experiment_.convolution_table_hash = to_hex(convolutions.hash());
    if (!experiment_.convolution_table.empty()) verdict.convolution_table = convolutions.to_json();
    verdict.experiment = config::to_json(experiment_);
    verdict.numerics = experiment_.numerics;
    for (const comm::InventoryEntry& entry : inventory_) verdict.hosts.push_back(entry.host);
    verdict.devices = master::dealt_devices(inventory_, device);
    verdict.go = !options_.dry_run;
    verdict.asks_for_pace = verdict.go && experiment_.placement == "measured";
    verdict.survives_losses = options_.survives_losses;
    return verdict;
  }

  /// The workers have measured how quickly they train.
  void take_paces(std::vector<comm::InventoryEntry> inventory) {
    inventory_ = std::move(inventory);
    master::check_agreement(inventory_);
  }

  /// Places the cells and makes the run's folder, or finds it.
  void complete(comm::Verdict& verdict) {
    verdict.asks_for_pace = false;
    verdict.rank_of_cell = master::place_cells(inventory_, worker::torus_of(experiment_));
    if (options_.resume_dir.empty()) {
      if (options_.dry_run) master::check_run_folder(output_dir());
      if (verdict.go) {
        verdict.output_dir = master::make_run_folder(output_dir()).string();
        lock_.emplace(verdict.output_dir);
      }
    } else {
      resume(verdict);
    }
  }

  // Says why nothing is trained.
  void describe(const comm::Verdict& verdict) const {
    std::string text;
    for (const auto& line : notes_) text += line + "\n";
    if (options_.dry_run) {
      for (const auto& line : master::inventory_lines(inventory_, verdict)) text += line + "\n";
      text += memory_estimate(experiment_, verdict, inventory_);
    }
    print(text);
  }

  /// What the log should know about the start.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  [[nodiscard]] const config::Experiment& experiment() const { return experiment_; }
  [[nodiscard]] const std::vector<comm::InventoryEntry>& inventory() const { return inventory_; }

 private:
  void resume(comm::Verdict& verdict) {
    // Nobody changes the folder any more while it is looked at.
    const std::filesystem::path folder = master::existing_run_folder(options_.resume_dir);
    if (verdict.go) lock_.emplace(folder);
    const master::Resumption from = master::find_resumption(folder, experiment_);
    verdict.output_dir = from.folder.string();
    verdict.start = from.start;
    append(notes_, from.notes);
    if (from.is_finished) verdict.go = false;
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

Ended run_master(comm::CommManager& comm, Brought brought, const RunOptions& options,
                 const Clock& clock) {
  SetUp set_up(gathered(comm, brought.entry, "taking the inventory"), std::move(brought.experiment),
               options);
  comm::Verdict verdict;
  try {
    verdict = set_up.agree();
    if (verdict.asks_for_pace) {
      comm.broadcast_from_master(verdict.encode(), "asking how quickly workers train");
      set_up.take_paces(gathered(comm, brought.entry, "waiting for how quickly workers train"));
    }
    set_up.complete(verdict);
  } catch (const Error& error) {
    verdict = {};
    verdict.exit_code = static_cast<std::int32_t>(error.code());
    comm.broadcast_from_master(verdict.encode(), "sending the verdict");
    return {verdict.exit_code, std::current_exception()};
  }
  comm.broadcast_from_master(verdict.encode(), "sending the verdict");
  if (!verdict.go) {
    set_up.describe(verdict);
    return {};
  }
  comm.form_groups(master::groups_of(verdict, worker::torus_of(set_up.experiment())));
  std::optional<master::Master> master;
  Ended ended;
  try {
    master.emplace(comm, verdict, set_up.experiment(), set_up.inventory(), set_up.notes(),
                   streams(options.quiet), interruption(options, clock), clock);
    ended.exit_code = static_cast<int>(master->run());
  } catch (const comm::PeerLost&) {
    throw;
  } catch (...) {
    std::error_code ignored;
    const bool is_worth_keeping = !options.resume_dir.empty() || (master && master->has_begun());
    if (!is_worth_keeping) std::filesystem::remove_all(verdict.output_dir, ignored);
    if (!master) throw;  // the workers wait for its first word
    ended.error = std::current_exception();
  }
  ended.ending = master->ending();
  ended.lost_pids = lost_pids(set_up.inventory(), master->lost());
  return ended;
}

// Whether the workers of this rank's node outnumber its cores.
bool must_share_a_core(const comm::Verdict& verdict, Rank rank) {
  const auto host = [&](Rank r) { return verdict.hosts[static_cast<std::size_t>(r.value)]; };
  const auto here = std::ranges::count(comm::active_in(verdict.rank_of_cell), host(rank), host);
  return here > sysconf(_SC_NPROCESSORS_ONLN);
}

comm::Verdict received_verdict(comm::CommManager& comm) {
  return comm::Verdict::decode(comm.broadcast_from_master({}, "waiting for the verdict"));
}

// A failure goes to the master in place of the pace.
void measure_pace(comm::InventoryEntry& entry, worker::Workplace& workplace, const Clock& clock) {
  const config::Experiment& experiment = workplace.experiment();
  try {
    entry.pace = worker::measure_pace(workplace.device(), worker::settings_of(experiment),
                                      worker::torus_of(experiment).cells(), clock);
  } catch (const std::exception& error) {
    take_failure(entry, error);
  }
}

Ended run_worker(comm::CommManager& comm, Brought brought, const Clock& clock) {
  comm.gather_at_master(brought.entry.encode(), "taking the inventory");
  auto verdict = received_verdict(comm);
  if (!verdict.go) return {verdict.exit_code};
  worker::Workplace workplace(verdict, comm.rank(), brought.experiment.data.dir);
  if (verdict.asks_for_pace) {
    measure_pace(brought.entry, workplace, clock);
    comm.gather_at_master(brought.entry.encode(), "telling how quickly it trains");
    verdict = received_verdict(comm);
    if (!verdict.go) return {verdict.exit_code};
  }
  comm.form_groups(master::groups_of(verdict, worker::torus_of(brought.experiment)));
  // Threads inherit it: on a crowded node a message waits for its core rather than take it from
  // another worker's training, whose caches it would cost.
  if (must_share_a_core(verdict, comm.rank())) prefer_long_time_slices();
  const comm::Stop stop = worker::Worker(comm, verdict, workplace, clock).run();
  return {stop.exit_code, nullptr, stop.ending};
}

}  // namespace

Ended run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
               const Clock& clock, const Abandon& abandon) {
  Brought brought = bring(load);
  try {
    return comm.is_master() ? run_master(comm, std::move(brought), options, clock)
                            : run_worker(comm, std::move(brought), clock);
  } catch (const Error& error) {
    return {abandon(comm, error)};
  } catch (const std::exception& error) {
    return {abandon(comm, InternalError(error.what()))};
  }
}

}  // namespace lipizz::app
