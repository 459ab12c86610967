#include "app/run_rank.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "app/run_in_process.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"
#include "worker/fake_island.hpp"

namespace lipizz::app {
namespace {

using ::testing::HasSubstr;

class RunRank : public RunsTest {
 protected:
  // Ranks that load different things, as on different nodes. Returns every rank's exit code, -1
  // where it threw, and leaves what the master threw in error_.
  std::vector<int> run_each(const std::vector<LoadExperiment>& loads, const RunOptions& options) {
    comm::ThreadWorld world(static_cast<int>(loads.size()));
    std::vector<int> exit_codes(loads.size(), -1);
    std::vector<std::jthread> ranks;
    for (std::size_t rank = 0; rank < loads.size(); ++rank) {
      ranks.emplace_back([&, rank] {
        comm::CommManager comm(world.communicator(static_cast<int>(rank)), clock_);
        try {
          exit_codes[rank] = run_rank(comm, loads[rank], options, clock_,
                                      [](comm::CommManager&, const comm::PeerLost&) { return 3; });
        } catch (const Error& error) {
          if (rank == 0) error_ = error.what();
        }
      });
    }
    ranks.clear();
    return exit_codes;
  }

  const SystemClock clock_;
  std::string error_;
};

// 2, 5 and 17 ranks, and 20 of which three are spares.
TEST_F(RunRank, every_number_of_ranks_gives_the_same_answer) {
  const config::Experiment experiment = on_points(4, 4);
  EXPECT_EQ(run_in_process(experiment, into("2"), 1, clock_), 0);
  EXPECT_EQ(metrics("2").size(), 48U);
  for (const int n_ranks : {5, 17, 20}) {
    const std::string name = std::to_string(n_ranks);
    EXPECT_EQ(run_in_process(experiment, into(name), n_ranks - 1, clock_), 0);
    EXPECT_EQ(result(name)["fingerprint"], result("2")["fingerprint"]) << name;
    EXPECT_EQ(metrics(name), metrics("2")) << name;
    EXPECT_EQ(result(name)["inventory"].size(), static_cast<std::size_t>(n_ranks));
  }
}

// GRID-7.
TEST_F(RunRank, all_cells_switch_neighbourhoods_together) {
  config::Experiment experiment = on_points(3, 4);
  experiment.generations = 6;
  experiment.neighbourhood = {{0, "cross5"}, {3, "moore9"}, {5, "ring3"}, {6, "isolated"}};
  EXPECT_EQ(run_in_process(experiment, into("one"), 1, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("each"), 12, clock_), 0);
  EXPECT_EQ(result("each")["fingerprint"], result("one")["fingerprint"]);
  const auto lines = metrics("each");
  const std::size_t members[] = {5, 5, 9, 9, 3, 1};
  for (const auto& line : lines) {
    EXPECT_EQ(line["mixture"].size(), members[line["generation"].get<std::size_t>() - 1]);
  }
  config::Experiment unchanged = experiment;
  unchanged.neighbourhood = {{0, "cross5"}};
  EXPECT_EQ(run_in_process(unchanged, into("unchanged"), 12, clock_), 0);
  EXPECT_NE(result("unchanged")["fingerprint"], result("one")["fingerprint"]);
}

TEST_F(RunRank, a_cell_talks_to_its_neighbours_only) {
  for (const std::uint32_t side : {3U, 4U}) {
    const std::string name = std::to_string(side);
    const config::Experiment experiment = on_points(side, side);
    const auto n_cells = static_cast<int>(side * side);
    EXPECT_EQ(run_in_process(experiment, into(name), n_cells, clock_), 0);
    const auto traffic = result(name)["traffic"];
    EXPECT_EQ(traffic["exchange"]["messages_per_cell_and_generation"], 4.0);
    // A fake publication has 16 bytes, a header 24.
    EXPECT_EQ(traffic["exchange"]["bytes_per_cell_and_generation"], 4 * (16.0 + 24.0));
    EXPECT_LT(traffic["master"]["bytes_per_cell_and_generation"], 1024.0);
  }
}

TEST_F(RunRank, an_error_while_training_ends_all_with_its_code) {
  config::Experiment experiment = on_points(2, 2);
  experiment.seed = coev::fake::kSeedOfFailure;
  const LoadExperiment load = [&] { return experiment; };
  EXPECT_THAT(run_each({load, load, load, load, load, load}, into("run")),
              testing::ElementsAre(-1, 4, 4, 4, 4, 4));
  EXPECT_EQ(error_, "the samples are gone");
}

TEST_F(RunRank, what_one_rank_cannot_load_ends_all_before_anything_is_made) {
  const LoadExperiment load = [] { return on_points(2, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw ConfigError("no such file"); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("rank 2"));
  EXPECT_THAT(error_, HasSubstr("no such file"));
  EXPECT_THAT(run_each({fail, fail, fail}, into("run")), testing::ElementsAre(-1, 2, 2));
  EXPECT_EQ(error_, "no such file");
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

TEST_F(RunRank, ranks_with_different_configurations_are_refused) {
  const LoadExperiment load = [] { return on_points(2, 2); };
  const LoadExperiment other = [] { return on_points(2, 3); };
  EXPECT_THAT(run_each({load, load, other}, into("run")), testing::ElementsAre(-1, 2, 2));
  EXPECT_THAT(error_, HasSubstr("configuration"));
  EXPECT_THAT(error_, HasSubstr("rank 2"));
}

TEST_F(RunRank, an_existing_folder_is_refused_and_left_alone) {
  std::filesystem::create_directory(base_ / "run");
  const LoadExperiment load = [] { return on_points(1, 2); };
  EXPECT_THAT(run_each({load, load}, into("run")), testing::ElementsAre(-1, 2));
  EXPECT_THAT(error_, HasSubstr("exists already"));
  EXPECT_TRUE(std::filesystem::is_empty(base_ / "run"));
}

TEST_F(RunRank, a_dry_run_prints_placement_and_memory_and_makes_nothing) {
  RunOptions options = into("run");
  options.dry_run = true;
  const LoadExperiment load = [] { return on_points(1, 3); };
  testing::internal::CaptureStdout();
  EXPECT_THAT(run_each({load, load, load}, options), testing::ElementsAre(0, 0, 0));
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_THAT(text, HasSubstr("hosts cells 0-1"));
  EXPECT_THAT(text, HasSubstr("memory: "));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
}

}  // namespace
}  // namespace lipizz::app
