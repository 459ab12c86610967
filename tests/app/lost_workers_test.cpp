// Ranks that fall silent while a run goes on: all of it but the network and MPI, on threads.
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "app/run_in_process.hpp"
#include "app/run_rank.hpp"
#include "comm/thread_world.hpp"
#include "run_folder.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::app::lost_workers_test {
namespace {

using comm::MessageKind;
using ::testing::HasSubstr;

/// From the `nth` message of this kind to the master on, nothing that a rank sends arrives; it
/// still gets everything. The 0th: nothing ever.
struct Silence {
  MessageKind kind = MessageKind::kMetrics;
  int nth = 0;
};

class LostWorkers : public RunsTest {
 protected:
  static constexpr int kWorkers = 5;  // for four cells: the last one is a spare

  void SetUp() override {
    RunsTest::SetUp();
    experiment_ = on_points(2, 2);
    experiment_.generations = 6;
    experiment_.comm = {.heartbeat_s = 0.1, .late_after_s = 1, .dead_after_s = 2};
    ASSERT_EQ(run_in_process(experiment_, into("undisturbed"), 1, clock_), 0);
  }

  static comm::Faults faults(std::optional<Silence> silence) {
    if (!silence) return {};
    const auto drops = [silence = *silence, is_silent = silence->nth == 0, n = 0](int destination,
                                                                                  int tag) mutable {
      if (destination == kMaster.value && tag == static_cast<int>(silence.kind)) ++n;
      is_silent = is_silent || n >= silence.nth;
      return is_silent;
    };
    return {.drops = drops};
  }

  // A run on which these ranks are lost; returns how the master ended.
  Outcome run(const std::map<int, Silence>& silences) {
    RunOptions options = into("run");
    options.survives_losses = true;
    comm::ThreadWorld world(kWorkers + 1);
    std::vector<Outcome> ended(kWorkers + 1);
    {
      std::vector<std::jthread> ranks;
      for (int rank = 0; rank <= kWorkers; ++rank) {
        ranks.emplace_back([&, rank] {
          const auto found = silences.find(rank);
          const bool is_lost = found != silences.end();
          comm::CommManager comm(
              comm::make_faulty(world.communicator(rank),
                                faults(is_lost ? std::optional(found->second) : std::nullopt)),
              clock_);
          // A rank that is given up is not asked any more, and may notice that before the end.
          const auto abort = [&](comm::CommManager& from, int, const std::exception_ptr& error) {
            if (!is_lost) end_all(from, rank, error);
          };
          ended[static_cast<std::size_t>(rank)] = run_rank(
              comm, [&] { return experiment_; }, options, clock_, abort);
        });
      }
    }
    return ended.front();
  }

  static void end_all(comm::CommManager& comm, int rank, const std::exception_ptr& failure) {
    try {
      if (failure) std::rethrow_exception(failure);
      ADD_FAILURE() << "rank " << rank << " was told to abort";
    } catch (const Error& error) {
      ADD_FAILURE() << "rank " << rank << ": " << error.what();
    }
    EXPECT_THROW(comm.abort(3), CommError);
  }

  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(base_ / "run" / "run.log").rdbuf();
    return text.str();
  }

  // That all went on without these ranks to the same end.
  void expect_the_same_end_without(const std::map<int, Silence>& silences) {
    const Outcome master = run(silences);
    EXPECT_EQ(master.exit_code, 0);
    EXPECT_FALSE(master.error);
    EXPECT_EQ(master.ending, comm::Ending::kAlone);
    EXPECT_GE(master.lost_pids.size(), silences.size());
    const std::string text = log();
    for (const auto& [rank, silence] : silences) {
      EXPECT_THAT(text, ::testing::ContainsRegex("rank " + std::to_string(rank) + ".* given up"));
    }
    EXPECT_EQ(result("run")["fingerprint"], result("undisturbed")["fingerprint"]);
    EXPECT_EQ(metrics("run"), metrics("undisturbed"));
    // Publications after the loss travel beside the four results.
    const auto traffic = result("run")["traffic"];
    EXPECT_GE(traffic["global"]["messages"].get<int>(),
              4 + traffic["exchange"]["messages"].get<int>());
  }

  const SystemClock clock_;
  config::Experiment experiment_;
};

TEST_F(LostWorkers, one_in_the_middle_of_training) {
  expect_the_same_end_without({{2, {MessageKind::kMetrics, 3}}});
}

// The first worker is the one that opens the data and makes the judge for all others.
TEST_F(LostWorkers, one_that_never_said_a_word) {
  expect_the_same_end_without({{1, {}}});
}

TEST_F(LostWorkers, one_before_it_has_told_its_first_generation) {
  expect_the_same_end_without({{3, {MessageKind::kMetrics, 1}}});
}

TEST_F(LostWorkers, one_that_has_finished) {
  expect_the_same_end_without({{4, {MessageKind::kResult, 1}}});
}

TEST_F(LostWorkers, one_and_the_spare_that_would_take_its_place) {
  expect_the_same_end_without({{2, {MessageKind::kMetrics, 3}}, {5, {}}});
}

TEST_F(LostWorkers, two_at_once) {
  expect_the_same_end_without({{2, {MessageKind::kMetrics, 3}}, {3, {MessageKind::kMetrics, 3}}});
}

// The second one's metrics go on in the next incarnation.
TEST_F(LostWorkers, one_after_the_other) {
  expect_the_same_end_without({{1, {MessageKind::kMetrics, 2}}, {4, {MessageKind::kMetrics, 6}}});
}

// A cell's host and both its buddies: nobody has a copy, and nothing was saved.
TEST_F(LostWorkers, all_who_have_a_cell_s_copies) {
  expect_the_same_end_without({{2, {MessageKind::kMetrics, 3}},
                               {3, {MessageKind::kMetrics, 3}},
                               {4, {MessageKind::kMetrics, 3}}});
}

}  // namespace
}  // namespace lipizz::app::lost_workers_test
