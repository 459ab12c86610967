#pragma once

#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "app/run_rank.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app {

/// Runs of ranks on threads.
class RankRuns : public RunsTest {
 protected:
  // Ranks that load different things, as on different nodes. Returns every rank's exit code, -1
  // where it has an error that all were told, and leaves what the master says in error_.
  std::vector<int> run_each(const std::vector<LoadExperiment>& loads, const RunOptions& options) {
    comm::ThreadWorld world(static_cast<int>(loads.size()));
    std::vector<int> exit_codes(loads.size(), -1);
    std::vector<std::jthread> ranks;
    for (std::size_t rank = 0; rank < loads.size(); ++rank) {
      ranks.emplace_back([&, rank] {
        comm::CommManager comm(world.communicator(static_cast<int>(rank)), clock_);
        const auto abort = [&](comm::CommManager& from, int, const std::exception_ptr& error) {
          if (rank == 0 && error) error_ = message_of(error);
          end_all(from);
        };
        const Outcome outcome = run_rank(comm, loads[rank], options, clock_, abort);
        EXPECT_EQ(outcome.ending, comm::Ending::kTogether);
        EXPECT_TRUE(outcome.lost_pids.empty());
        exit_codes[rank] = outcome.error ? -1 : outcome.exit_code;
        if (outcome.error) error_ = message_of(outcome.error);
      });
    }
    ranks.clear();
    return exit_codes;
  }

  static std::string message_of(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const Error& told) {
      return told.what();
    }
  }

  static void end_all(comm::CommManager& comm) {
    try {
      comm.abort(3);
    } catch (const CommError&) {
    }
  }

  RunOptions resuming(const std::string& name) const {
    RunOptions options;
    options.resume_dir = base_ / name;
    options.quiet = true;
    return options;
  }

  const SystemClock clock_;
  std::string error_;
};

}  // namespace lipizz::app
