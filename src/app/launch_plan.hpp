#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lipizz::app {

/// The wishes with which `lipizz launch` was called.
struct LaunchOptions {
  std::uint32_t workers = 0;   // 0: as many as are of use, or as the job has slots for
  std::uint32_t spares = 0;    // workers beyond them, idle; with any, lost workers are survived
  std::uint32_t restarts = 3;  // at most, without progress
  std::vector<std::string> training;        // options that say what to train, as they were given
  std::vector<std::string> watching;        // options that hold for every start (--quiet)
  std::vector<std::string> mpirun_options;  // what stood behind `--`
  std::filesystem::path resume_dir;         // empty: a new run
};

/// The decisions of `lipizz launch`; pure functions.

/// Where ranks may run.
struct Host {
  std::string name;
  std::uint32_t slots = 1;
  bool operator==(const Host&) const = default;
};

/// Ranks that the GPUs of a host want: one for each that the device stands for, since a GPU trains
/// all cells of its worker at once, and no part of a cell where there is room for whole ones. 0
/// where cores train.
std::uint32_t ranks_for_gpus(const std::string& device, std::uint32_t n_gpus,
                             std::uint32_t ranks_per_cell = 1);

/// Workers that a run has a use for: those of the ranks that GPUs want, every host being taken to
/// have as many; else one for each cell.
std::uint32_t useful_workers(std::uint32_t n_cells, std::uint32_t for_gpus_of_a_host,
                             std::size_t n_hosts, std::uint32_t ranks_per_cell = 1);

/// Ranks to start: the master, the workers (as many as are useful, unless told) and the spares,
/// these with their helpers. `n_slots` is the number of slots of the scheduler's job, if there is
/// one.
std::uint32_t n_ranks(const LaunchOptions& options, std::uint32_t n_useful,
                      std::optional<std::uint32_t> n_slots, std::uint32_t ranks_per_cell = 1);

/// The same options with ranks given to hosts in turn, as few workers with a GPU each want it;
/// unchanged where they say already where ranks go.
std::vector<std::string> in_turn(const std::vector<std::string>& mpirun_options);
/// The hosts with room for so many of the ranks each, and the first one for the master too, so that
/// the ranks of a cell are beside each other. Unchanged where the options say already where ranks
/// go, there are more of them, or a scheduler has given a host less.
std::vector<Host> filled_in_order(std::span<const Host> hosts, std::uint32_t n_of_host,
                                  std::uint32_t n_ranks,
                                  const std::vector<std::string>& mpirun_options,
                                  bool is_scheduled);

/// The same options with ranks bound to no core, as workers with threads want it; unchanged where
/// they say already what ranks are bound to.
std::vector<std::string> unbound(const std::vector<std::string>& mpirun_options);

/// The arguments of lipizz: the new run's options, or --resume once `has_begun`; and the seconds
/// left, if they are limited.
std::vector<std::string> training_arguments(const LaunchOptions& options,
                                            const std::filesystem::path& run, bool has_begun,
                                            double time_left_s);

/// Where `lipizz launch` itself runs.
struct LaunchPlace {
  bool is_scheduled = false;  // in a scheduler's job, whose slots count
  bool is_root = false;       // as in a container; mpirun wants to hear that it is meant
};

/// mpirun's command line, but for what lipizz gets; with spares, it lets survivors go on. Without a
/// scheduler ranks may outnumber cores.
std::vector<std::string> mpirun_command(const LaunchOptions& options, std::uint32_t ranks,
                                        const LaunchPlace& place);
/// The command that ends with 0 where mpirun can start something on the host.
std::vector<std::string> question_to(const Host& host, const LaunchOptions& options,
                                     const LaunchPlace& place);

/// How mpirun ended.
struct LaunchEnd {
  int exit_code = 0;
  bool has_result = false;  // result.json is there
  bool has_started = true;  // rank 0 came as far as the run's folder, or has told why not
};

/// Says whether starting again may help: ranks or mpirun were lost. Not after an error that would
/// only come again, nor after an orderly end.
bool is_worth_a_restart(const LaunchEnd& end);
/// Says whether the same command would only end alike: mpirun refused it, or could not bring the
/// ranks up. Not where somebody killed it.
bool is_hopeless(const LaunchEnd& end);

/// `exit code 137 (killed by signal 9)`
std::string described(const LaunchEnd& end);

/// The hosts that mpirun's options name (`--host a:2,b`), if they do.
std::vector<Host> named_hosts(const std::vector<std::string>& mpirun_options);
/// The hosts of this Slurm job with their tasks; nothing outside of one. `run` runs a command and
/// returns what it printed.
std::vector<Host> slurm_hosts(const std::function<std::string(const std::string& command)>& run);
/// The same options for these hosts alone.
std::vector<std::string> on_hosts(const std::vector<std::string>& mpirun_options,
                                  const std::vector<Host>& hosts);

/// Room that the scheduler's job has for ranks, from the environment (Slurm); nothing outside of
/// one that tells.
std::optional<std::uint32_t> slots_of_environment();
/// Says whether a scheduler that mpirun asks for its nodes has started this (Slurm, PBS, Grid
/// Engine).
bool is_in_a_scheduled_job();

}  // namespace lipizz::app
