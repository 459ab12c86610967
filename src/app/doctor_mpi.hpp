#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/doctor.hpp"

namespace lipizz::app {

/// Runs a command and returns what it printed.
using RunCommand = std::function<std::string(const std::string& command)>;

/// MPI as far as it was tried.
struct MpiTrial {
  std::string library = {};         // this program's, `Open MPI v4.1.4`
  std::string thread_level = {};    // of a session; empty: none could be begun
  std::string failure = {};         // why not
  std::optional<int> n_ranks = {};  // of the launcher that has started this
  std::optional<bool> lets_ranks_go_on =
      {};                     // a launcher after the loss of one; nothing: not tried
  std::string mpirun = {};    // `mpirun (Open MPI) 4.1.4`; empty: there is none in PATH
  bool starts_ranks = false;  // two of them
};

/// Begins a session of MPI as a run would: with the other ranks of the launcher that has started
/// this, each of which calls it; without one, in a process of its own, which MPI may end.
MpiTrial try_session();

/// Tries the mpirun in PATH: that it starts two ranks, and lets one go on when the other is killed.
/// Takes about three seconds.
void try_mpirun(bool is_root, const RunCommand& run, MpiTrial& trial);

std::vector<Finding> check_mpi(const MpiTrial& trial, bool is_root);

}  // namespace lipizz::app
