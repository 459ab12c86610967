#include "app/run_rank.hpp"

#include "app/run_in_process.hpp"
#include "core/hash.hpp"
#include "rank_runs.hpp"

namespace lipizz::app::run_rank_test {
namespace {

class RunRank : public RankRuns {
 protected:
  // Asked to stop as soon as a generation is finished; leaves with code 75 at some generation,
  // which is returned.
  Generation interrupt(config::Experiment experiment, const std::string& name, int n_workers) {
    experiment.generations = 1'000'000;
    RunOptions options = into(name);
    const std::jthread somebody = ask_to_stop_in_time(options);
    EXPECT_EQ(run_in_process(experiment, options, n_workers, clock_), 75);
    EXPECT_FALSE(std::filesystem::exists(base_ / name / "result.json"));
    const std::size_t n_cells = std::size_t{experiment.grid.rows} * experiment.grid.columns;
    return static_cast<Generation>(metrics(name).size() / n_cells);
  }
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
  experiment.grid.neighbourhood = {{0, "cross5"}, {3, "moore9"}, {5, "ring3"}, {6, "isolated"}};
  EXPECT_EQ(run_in_process(experiment, into("one"), 1, clock_), 0);
  EXPECT_EQ(run_in_process(experiment, into("each"), 12, clock_), 0);
  EXPECT_EQ(result("each")["fingerprint"], result("one")["fingerprint"]);
  const auto lines = metrics("each");
  const std::size_t members[] = {5, 5, 9, 9, 3, 1};
  for (const auto& line : lines) {
    EXPECT_EQ(line["mixture"].size(), members[line["generation"].get<std::size_t>() - 1]);
  }
  config::Experiment unchanged = experiment;
  unchanged.grid.neighbourhood = {{0, "cross5"}};
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

}  // namespace
}  // namespace lipizz::app::run_rank_test
