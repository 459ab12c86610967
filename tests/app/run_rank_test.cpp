#include "app/run_rank.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "app/run_in_process.hpp"
#include "comm/thread_world.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "master/run_folder.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/convolution_table.hpp"
#include "run_folder.hpp"
#include "worker/fake_island.hpp"

namespace lipizz::app {
namespace {

using ::testing::HasSubstr;

class RunRank : public RunsTest {
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
        const Outcome ended = run_rank(comm, loads[rank], options, clock_,
                                       [&](comm::CommManager& from, int, const auto& error) {
                                         if (rank == 0 && error) error_ = message_of(error);
                                         end_all(from);
                                       });
        EXPECT_EQ(ended.ending, comm::Ending::kTogether);
        EXPECT_TRUE(ended.lost_pids.empty());
        exit_codes[rank] = ended.error ? -1 : ended.exit_code;
        if (ended.error) error_ = message_of(ended.error);
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

  // Asked to stop from the first moment; leaves with code 75 at some generation, which is returned.
  Generation interrupt(config::Experiment experiment, const std::string& name, int n_workers) {
    experiment.generations = 1'000'000;
    RunOptions options = into(name);
    options.stop_requested = [] { return std::string("a test"); };
    EXPECT_EQ(run_in_process(experiment, options, n_workers, clock_), 75);
    EXPECT_FALSE(std::filesystem::exists(base_ / name / "result.json"));
    const std::size_t n_cells = std::size_t{experiment.grid.rows} * experiment.grid.columns;
    return static_cast<Generation>(metrics(name).size() / n_cells);
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
    EXPECT_EQ(traffic["local"]["messages"], traffic["exchange"]["messages"]);
    EXPECT_EQ(traffic["local"]["bytes"], traffic["exchange"]["bytes"]);
    EXPECT_EQ(traffic["global"]["messages"], n_cells) << "the results";
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

TEST_F(RunRank, an_interrupted_run_is_resumed_on_other_ranks_to_the_same_end) {
  config::Experiment experiment = on_points(2, 3);
  const Generation stopped = interrupt(experiment, "run", 6);
  ASSERT_GE(stopped, 1U);
  experiment.generations = stopped + 2;
  EXPECT_EQ(run_in_process(experiment, resuming("run"), 2, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("undisturbed"), 3, clock_), 0);
  EXPECT_EQ(result("run")["fingerprint"], result("undisturbed")["fingerprint"]);
  EXPECT_EQ(metrics("run"), metrics("undisturbed"));
}

TEST_F(RunRank, a_time_limit_of_nothing_stops_as_soon_as_it_can) {
  config::Experiment experiment = on_points(1, 2);
  experiment.generations = 1'000'000;
  RunOptions options = into("run");
  options.time_limit_s = 0;
  EXPECT_EQ(run_in_process(experiment, options, 2, clock_), 75);
}

TEST_F(RunRank, a_finished_run_is_not_resumed_but_may_be_trained_on) {
  config::Experiment experiment = on_points(1, 2);
  EXPECT_EQ(run_in_process(experiment, into("run"), 2, clock_), 0);
  const auto before = result("run");
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_in_process(experiment, resuming("run"), 2, clock_), 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("has finished"));
  EXPECT_EQ(result("run"), before);
  experiment.generations += 2;
  EXPECT_EQ(run_in_process(experiment, resuming("run"), 2, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("undisturbed"), 2, clock_), 0);
  EXPECT_EQ(result("run")["fingerprint"], result("undisturbed")["fingerprint"]);
  EXPECT_EQ(metrics("run"), metrics("undisturbed"));
}

TEST_F(RunRank, a_run_that_is_going_on_elsewhere_is_not_resumed) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  EXPECT_THAT(run_each({load, load}, into("run")), testing::ElementsAre(0, 0));
  const auto before = metrics("run");
  const LoadExperiment longer = [&] {
    config::Experiment experiment = load();
    experiment.generations = 5;
    return experiment;
  };
  {
    const master::RunFolderLock somebody_else(base_ / "run");
    EXPECT_THAT(run_each({longer, longer}, resuming("run")), testing::ElementsAre(-1, 2));
    EXPECT_THAT(error_, HasSubstr("going on in another process"));
    EXPECT_EQ(metrics("run"), before);
  }
  EXPECT_THAT(run_each({longer, longer}, resuming("run")), testing::ElementsAre(0, 0));
}

TEST_F(RunRank, a_table_of_convolutions_is_part_of_a_run) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "a build without oneDNN";
  config::Experiment experiment = on_points(1, 2);
  experiment.engine = "onednn";
  experiment.convolution_table = base_ / "table.json";
  std::ofstream(experiment.convolution_table) << nn::ConvolutionTable().to_json();
  const LoadExperiment load = [&] { return experiment; };
  EXPECT_THAT(run_each({load, load}, into("run")), testing::ElementsAre(0, 0));
  config::apply_file(base_ / "run" / "config.json", experiment);
  EXPECT_EQ(experiment.convolution_table_hash, to_hex(nn::ConvolutionTable().hash()));
  experiment.generations += 1;
  experiment.convolution_table.clear();
  EXPECT_THAT(run_each({load, load}, resuming("run")), testing::ElementsAre(-1, 2));
  EXPECT_THAT(error_, HasSubstr("this build's own"));
  experiment.convolution_table_hash.clear();
  EXPECT_THAT(run_each({load, load}, resuming("run")), testing::ElementsAre(-1, 6));
  EXPECT_THAT(error_, HasSubstr("with configuration"));
  std::filesystem::rename(base_ / "table.json", base_ / "moved.json");
  experiment.convolution_table = base_ / "moved.json";
  EXPECT_THAT(run_each({load, load}, resuming("run")), testing::ElementsAre(0, 0));
}

// Its log cannot be opened: every rank waits for it already.
TEST_F(RunRank, a_master_that_cannot_begin_ends_all_with_its_error) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  std::filesystem::create_directories(base_ / "run" / "run.log");
  std::ofstream(base_ / "run" / "config.json") << config::to_json(load());
  EXPECT_THAT(run_each({load, load, load}, resuming("run")), testing::ElementsAre(6, 3, 3));
  EXPECT_THAT(error_, HasSubstr("run.log"));
}

TEST_F(RunRank, what_nobody_foresaw_at_set_up_ends_all_too) {
  const LoadExperiment load = [] { return on_points(1, 2); };
  const LoadExperiment fail = []() -> config::Experiment { throw std::bad_alloc(); };
  EXPECT_THAT(run_each({load, load, fail}, into("run")), testing::ElementsAre(-1, 70, 70));
  EXPECT_THAT(error_, HasSubstr("bad_alloc"));
  EXPECT_FALSE(std::filesystem::exists(base_ / "run"));
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
